package reports_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
)

// ring refers to itself.
type ring struct{ Next *ring }

func TestBadValuesOfAllKindsHaveJSON(t *testing.T) {
	round := &ring{}
	round.Next = round
	endless := []any{nil}
	endless[0] = endless
	for _, row := range []struct {
		why   string
		value any
		want  string
	}{
		{"no value", nil, `null`},
		{"a value that upstream leaves out", field.TooMany(nil, -1, 1).BadValue, `null`},
		{"numbers keep their digits", int64(math.MaxInt64), `9223372036854775807`},
		{"text is not HTML", "<a & b>", `"<a & b>"`},
		{"bytes that are not UTF-8", "\xff", `"\ufffd"`},
		{"keys are sorted", map[string]any{"b": 1, "a": []any{true}}, `{"a":[true],"b":1}`},
		{"Kubernetes types have their own JSON", intstr.FromString("10%"), `"10%"`},
		{"quantities too", resource.MustParse("1500m"), `"1500m"`},
		{"an error is its text", errors.New("cost budget exceeded"), `"cost budget exceeded"`},
		{"a nil error panics when it is called", (*fs.PathError)(nil),
			`"<*fs.PathError: runtime error: invalid memory address or nil pointer dereference>"`},
		{"not a number", math.NaN(), `"<float64: unsupported value: NaN>"`},
		{"not a number within", []float64{math.Inf(1)}, `"<[]float64: unsupported value: +Inf>"`},
		{"a func", func() {}, `"<func(): unsupported type: func()>"`},
		{"a channel", make(chan int), `"<chan int: unsupported type: chan int>"`},
		{"a cycle of pointers", round, `"<*reports_test.ring: unsupported value: encountered a cycle via *reports_test.ring>"`},
		{"a cycle of lists", endless, `"<[]interface {}: unsupported value: encountered a cycle via []interface {}>"`},
		{"a value that panics", panicking{}, `"<reports_test.panicking: internal types have no JSON>"`},
		{"a value that writes nonsense", json.RawMessage(`{`),
			`"<json.RawMessage: error calling MarshalJSON for type json.RawMessage: unexpected end of JSON input>"`},
	} {
		t.Run(row.why, func(t *testing.T) {
			var out bytes.Buffer
			reporter, err := reports.New("jsonl", &out, reports.Options{})
			if err != nil {
				t.Fatal(err)
			}
			native := &field.Error{Type: field.ErrorTypeInvalid, Field: "spec", BadValue: row.value}
			c := &harness.Case{ID: "case", Object: map[string]any{}}
			if err := reporter.Result(paired(c, pod, words.Different,
				equivalence.Pair{Native: native, Class: difference.TooLoose})); err != nil {
				t.Fatal(err)
			}
			if want := `"badValue":` + row.want + `,`; strings.Count(out.String(), want) != 2 {
				t.Errorf("want %s twice in:\n%s", want, out.String())
			}
		})
	}
}
