package harness_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// storing is a backend that would store the documents, in order.
type storing struct {
	name      string
	refuses   bool
	documents []map[string]any
	asked     *int
}

func (s storing) Name() string { return s.name }

func (s storing) Validate(ctx context.Context, _ *harness.Input) (field.ErrorList, error) {
	document := s.documents[*s.asked%len(s.documents)]
	*s.asked++
	contract.AddNotes(ctx, contract.Notes{Stored: document})
	if s.refuses {
		return field.ErrorList{field.Forbidden(nil, "no")}, nil
	}
	return nil, nil
}

func stores(name string, documents ...map[string]any) storing {
	return storing{name: name, documents: documents, asked: new(int)}
}

func TestResultsAreCompared(t *testing.T) {
	sized := func(size any) map[string]any { return map[string]any{"spec": map[string]any{"size": size}} }
	none := map[string]any{}
	timed := func(time any) map[string]any {
		return map[string]any{"spec": map[string]any{"items": []any{map[string]any{"metadata": map[string]any{"creationTimestamp": time}}}}}
	}
	untimed := map[string]any{"spec": map[string]any{"items": []any{map[string]any{"metadata": none}}}}
	for _, tt := range []struct {
		why                 string
		native, declarative storing
		options             harness.Options
		want                []string
		verdict             words.Verdict
	}{
		{"the same", stores("native", sized(int64(1))), stores("declarative", sized(int64(1))), harness.Options{}, nil, words.Equal},
		{"a number is compared as in JSON", stores("native", sized(int64(1))), stores("declarative", sized(1.0)),
			harness.Options{}, nil, words.Equal},
		{"a text is no number", stores("native", sized(int64(1))), stores("declarative", sized("1")), harness.Options{},
			[]string{`result spec.size: 1 after mutation and defaulting / "1" after mutation and defaulting`}, words.Different},
		{"null is not an absent field", stores("native", sized(nil)), stores("declarative", map[string]any{"spec": none}),
			harness.Options{},
			[]string{"result spec.size: null after mutation and defaulting / absent after mutation and defaulting"}, words.Different},
		{"nor is an empty object", stores("native", map[string]any{"spec": none}), stores("declarative", none), harness.Options{},
			[]string{"result spec: {} after mutation and defaulting / absent after mutation and defaulting"}, words.Different},
		{"nor is an empty list, and null is unset", stores("native", sized([]any{})), stores("declarative", sized(nil)), harness.Options{},
			[]string{"result spec.size: [] after mutation and defaulting / null after mutation and defaulting"}, words.Different},
		{"a null time of metadata is that of an encoder", stores("native", timed(nil)), stores("declarative", untimed),
			harness.Options{}, nil, words.Equal},
		{"a time is not", stores("native", timed("2026-01-01T00:00:00Z")), stores("declarative", timed(nil)), harness.Options{},
			[]string{
				`result spec.items[0].metadata.creationTimestamp: "2026-01-01T00:00:00Z" after mutation and defaulting / absent after ` +
					`mutation and defaulting`,
			}, words.Different},
		{"nor is an empty text", stores("native", timed("")), stores("declarative", untimed), harness.Options{},
			[]string{`result spec.items[0].metadata.creationTimestamp: "" after mutation and defaulting / absent after mutation ` +
				`and defaulting`},
			words.Different},
		{"nor are metadata that one side lacks", stores("native", timed(nil)),
			stores("declarative", map[string]any{"spec": map[string]any{"items": []any{none}}}), harness.Options{},
			[]string{`result spec.items[0].metadata: {} after mutation and defaulting / absent after mutation and defaulting`},
			words.Different},
		{"nor is a null time elsewhere", stores("native", map[string]any{"status": map[string]any{"creationTimestamp": nil}}),
			stores("declarative", map[string]any{"status": none}), harness.Options{},
			[]string{`result status.creationTimestamp: null after mutation and defaulting / absent after mutation and defaulting`},
			words.Different},
		{"nor is another null of metadata",
			stores("native", map[string]any{"spec": map[string]any{"metadata": map[string]any{"labels": nil}}}),
			stores("declarative", map[string]any{"spec": map[string]any{"metadata": none}}), harness.Options{},
			[]string{`result spec.metadata.labels: null after mutation and defaulting / absent after mutation and defaulting`},
			words.Different},
		{"an object that one side lacks, field by field", stores("native", sized(int64(1))), stores("declarative", none), harness.Options{},
			[]string{"result spec.size: 1 after mutation and defaulting / absent after mutation and defaulting"}, words.Different},
		{"an item that one side adds, at its place", stores("native", sized([]any{"a", "b"})),
			stores("declarative", sized([]any{"a", map[string]any{"c": int64(1)}, "b"})), harness.Options{},
			[]string{"result spec.size[1].c: absent after mutation and defaulting / 1 after mutation and defaulting"}, words.Different},
		{"items that one side takes away and changes", stores("native", sized([]any{"a", "b", "c"})),
			stores("declarative", sized([]any{"d", "b"})), harness.Options{},
			[]string{
				`result spec.size[0]: "a" after mutation and defaulting / "d" after mutation and defaulting`,
				`result spec.size[2]: "c" after mutation and defaulting / absent after mutation and defaulting`,
			}, words.Different},
		{"the server keeps its own books",
			stores("native", map[string]any{"metadata": map[string]any{"name": "a", "generation": int64(1), "uid": "b"}}),
			stores("declarative",
				map[string]any{"metadata": map[string]any{"name": "a", "generation": int64(2), "managedFields": []any{}}}),
			harness.Options{}, nil, words.Equal},
		{"if one side rejects the object, nothing is stored", stores("native", none),
			storing{"declarative", true, []map[string]any{sized(int64(1))}, new(int)}, harness.Options{Compare: words.CompareVerdict},
			[]string{"too-strict <nil>: no"}, words.Different},
		{"verdicts alone", stores("native", none), stores("declarative", sized(int64(1))),
			harness.Options{Compare: words.CompareVerdict}, nil, words.Equal},
		{"a mutation that inconsistent", stores("native", sized(int64(1)), sized(int64(2))), stores("declarative", sized(int64(1))),
			harness.Options{Repeat: 2},
			[]string{"unstable spec.size: 1 after mutation and defaulting / none"}, words.Unstable},
		{"a difference in other fields may not occur the next time", stores("native", sized(int64(1)), sized(int64(2))),
			stores("declarative", sized(int64(2))), harness.Options{Repeat: 2},
			[]string{
				"unstable spec.size: 1 after mutation and defaulting / 2 after mutation and defaulting",
				"unstable spec.size: 1 after mutation and defaulting / none",
			}, words.Unstable},
		{"a side compared with itself", stores("native", sized(int64(1)), sized(int64(2))), stores("declarative", none),
			harness.Options{Self: contract.NativeName},
			[]string{"unstable spec.size: 2 after mutation and defaulting / 1 after mutation and defaulting"}, words.Unstable},
	} {
		t.Run(tt.why, func(t *testing.T) {
			got, verdict := comparedPairs(t, tt.native, tt.declarative, tt.options)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if verdict != tt.verdict {
				t.Errorf("verdict %s, want %s", verdict, tt.verdict)
			}
		})
	}
}

// comparedPairs compares two backends on a widget. It returns the pairs of the result as texts, and its verdict.
func comparedPairs(t *testing.T, native, declarative harness.Backend, options harness.Options) (pairs []string, verdict words.Verdict) {
	t.Helper()
	result := checkWidget(t, harness.Documents{}, native, declarative, options)
	for _, pair := range result.Pairs {
		text := string(pair.Class) + " " + pair.Field() + ": "
		if pair.Class == difference.TooStrict {
			text += pair.Declarative.Detail
		} else {
			text += detailOf(pair.Native) + " / " + detailOf(pair.Declarative)
		}
		pairs = append(pairs, text)
	}
	return pairs, result.Verdict
}

func detailOf(err *field.Error) string {
	if err == nil {
		return "none"
	}
	return err.Detail
}

// converting is a backend that returns an object, and what other versions return for it.
type converting struct {
	storing
	converted []contract.Converted
}

func (c converting) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	contract.AddNotes(ctx, contract.Notes{Converted: c.converted})
	return c.storing.Validate(ctx, in)
}

func TestConvertedAreCompared(t *testing.T) {
	sized := func(size any) map[string]any { return map[string]any{"spec": map[string]any{"size": size}} }
	of := func(side string, size any, converted ...contract.Converted) converting {
		return converting{stores(side, sized(size)), converted}
	}
	v2 := func(size any) contract.Converted {
		return contract.Converted{Version: "example.com/v2", Object: sized(size)}
	}
	broken := func(why string) contract.Converted { return contract.Converted{Version: "example.com/v2", Why: why} }
	for _, tt := range []struct {
		why                 string
		native, declarative converting
		options             harness.Options
		want                []string
	}{
		{"the same", of("native", 1, v2("1")), of("declarative", 1, v2("1")), harness.Options{}, nil},
		{"another conversion", of("native", 1, v2("1")), of("declarative", 1, v2("2")), harness.Options{},
			[]string{`result spec.size: "1" after conversion to example.com/v2 / "2" after conversion to example.com/v2`}},
		{"another default, which the version has as well", of("native", 1, v2(1)), of("declarative", 2, v2(2)), harness.Options{},
			[]string{`result spec.size: 1 after mutation and defaulting / 2 after mutation and defaulting`}},
		{"another default, which the version spells otherwise", of("native", 1, v2("1")), of("declarative", 2, v2("2")), harness.Options{},
			[]string{
				`result spec.size: 1 after mutation and defaulting / 2 after mutation and defaulting`,
				`result spec.size: "1" after conversion to example.com/v2 / "2" after conversion to example.com/v2`,
			}},
		{"a version that one side lacks", of("native", 1, v2("1"), contract.Converted{Version: "example.com/v3", Object: sized(1)}),
			of("declarative", 1, v2("1")), harness.Options{}, nil},
		{"one that only one side can convert to", of("native", 1, v2("1")), of("declarative", 1, broken("no")), harness.Options{},
			[]string{
				`result apiVersion: "example.com/v2" after conversion to example.com/v2 / "cannot be converted: no" after ` +
					`conversion to example.com/v2`,
			}},
		{"one that no side can convert to", of("native", 1, broken("no")), of("declarative", 1, broken("no")), harness.Options{}, nil},
		{"verdicts alone are compared", of("native", 1, v2("1")), of("declarative", 1, v2("2")),
			harness.Options{Compare: words.CompareVerdict}, nil},
	} {
		t.Run(tt.why, func(t *testing.T) {
			got, _ := comparedPairs(t, tt.native, tt.declarative, tt.options)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
