package checksum_test

import (
	"encoding/json"
	"testing"

	"github.com/diffrun/diffrun/internal/files/checksum"
)

// sum returns the checksum of a header, results and a footer.
func sum(t *testing.T, header, footer string, results ...string) checksum.Sum {
	t.Helper()
	var summer checksum.Summer
	for _, result := range results {
		if err := summer.Result([]byte(result)); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{header, footer} {
		var part map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &part); err != nil {
			t.Fatal(err)
		}
		if err := summer.Rest(part); err != nil {
			t.Fatal(err)
		}
	}
	made, err := summer.Sum()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestSum(t *testing.T) {
	const header, footer, a, b = `{"tool":"diffrun"}`, `{"summary":{"cases":2}}`, `{"case":"a","n":9007199254740993,` +
		`"t":0.00001}`, `{"case":"b","é":1.5}`
	want := sum(t, header, footer, a, b)
	if want.Results != 2 || len(want.SHA256) != 64 {
		t.Fatalf("%+v", want)
	}
	for _, row := range []struct {
		why            string
		same           bool
		header, footer string
		results        []string
	}{
		{"it is the same", true, header, footer, []string{a, b}},
		{"white space and the order of keys do not matter", true, ` { "tool" : "diffrun" } `, footer,
			[]string{`{"t":1e-05, "n":9007199254740993,"case":"a"}`, `{"\u00e9":15e-1,"case":"\u0062"}`}},
		{"the checksum does not include itself", true, header, `{"summary":{"cases":2},"checksum":{"results":1}}`, []string{a, b}},
		{"one document has header and footer together", true, `{"summary":{"cases":2},"tool":"diffrun"}`, `{}`, []string{a, b}},
		{"a result is gone", false, header, footer, []string{a}},
		{"a result is doubled", false, header, footer, []string{a, b, b}},
		{"results have changed places", false, header, footer, []string{b, a}},
		{"a different text", false, header, footer, []string{`{"case":"c","n":9007199254740993,"t":0.00001}`, b}},
		{"a different last digit of a large number", false, header, footer, []string{`{"case":"a","n":9007199254740992,"t":0.00001}`, b}},
		{"a key was added", false, header, footer, []string{a, `{"case":"b","é":1.5,"x":null}`}},
		{"a different header", false, `{"tool":"diffrun","shard":"1/2"}`, footer, []string{a, b}},
		{"a different footer", false, header, `{"summary":{"cases":1}}`, []string{a, b}},
		{"two results in one line are not two", false, header, footer, []string{`[` + a + `,` + b + `]`}},
	} {
		if got := sum(t, row.header, row.footer, row.results...); (got == want) != row.same {
			t.Errorf("%s: %+v, and before %+v", row.why, got, want)
		}
	}
	var summer checksum.Summer
	twice := map[string]json.RawMessage{"tool": json.RawMessage(`1`)}
	if err := summer.Rest(twice); err != nil {
		t.Fatal(err)
	}
	if err := summer.Rest(twice); err == nil || err.Error() != `the key "tool" occurs twice` {
		t.Errorf("a key that occurs twice: %v", err)
	}
}

func BenchmarkResult(b *testing.B) {
	result := []byte(`{"case":"cases/kubernetes/apps/deployment.yaml#replicas below zero","number":17,"suite":"kubernetes",` +
		`"target":"apps/v1 Deployment","operation":"CREATE","subresource":"","source":"cases/kubernetes/apps/deployment.yaml:12",` +
		`"why":"the first value outside the range","verdict":"equivalent","effect":"none","fault":"","faultReason":"",` +
		`"inexpressible":"","omitted":[],"unmet":[],"native":{"errors":[{"type":"FieldValueInvalid","field":"spec.replicas",` +
		`"detail":"must be greater than or equal to 0","badValue":-1,"origin":"minimum"}],"warnings":[],"omitted":[],"fault":"",` +
		`"faultReason":"","seconds":0.000125,"backend":"native"},"declarative":{"errors":[{"type":"FieldValueInvalid",` +
		`"field":"spec.replicas","detail":"should be greater than or equal to 0","badValue":-1,"origin":""}],"warnings":[],` +
		`"omitted":[],"fault":"","faultReason":"","seconds":0.0001,"backend":"declarative"},"differences":[],"seconds":0.0003}`)
	var summer checksum.Summer
	for b.Loop() {
		if err := summer.Result(result); err != nil {
			b.Fatal(err)
		}
	}
}
