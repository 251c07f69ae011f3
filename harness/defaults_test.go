package harness_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// handDefaulted is a scheme whose hand-written defaults replace the fields of a document.
type handDefaulted struct {
	harness.Documents
	sets map[string]any
}

func (s handDefaulted) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{Defaulted: s.defaulted}
}

func (s handDefaulted) defaulted(object any, _ map[string]any, _ schema.GroupVersionKind,
	declared func(map[string]any) map[string]any) (native, declarative map[string]any, err error) {
	return with(object.(map[string]any), s.sets), declared(object.(map[string]any)), nil
}

func with(document, sets map[string]any) map[string]any {
	defaulted := map[string]any{}
	for _, from := range []map[string]any{document, sets} {
		for key, value := range from {
			defaulted[key] = value
		}
	}
	return defaulted
}

// declaring is a schema that declares defaults.
type declaring struct {
	backend
	sets       map[string]any
	err        error
	undeclared *equivalence.Exceptions
}

func (d declaring) Capabilities() contract.Capabilities {
	return contract.Capabilities{Defaults: d.defaults,
		DefaultExceptions: func() (*equivalence.Exceptions, error) { return d.undeclared, nil }}
}

func (d declaring) defaults() (func(map[string]any) map[string]any, error) {
	if d.sets == nil {
		return nil, d.err
	}
	return func(document map[string]any) map[string]any { return with(document, d.sets) }, d.err
}

// checkDefaults checks a widget of size 4, which both validators accept.
func checkDefaults(t *testing.T, native map[string]any, declarative declaring, options harness.Options) harness.Result {
	t.Helper()
	declarative.backend = atLeast("declarative", 3)
	return checkWidget(t, handDefaulted{sets: native}, atLeast("native", 3), declarative, options)
}

// checkWidget returns the result of two backends for a widget of size 4.
func checkWidget(t *testing.T, scheme harness.Scheme, native, declarative harness.Backend, options harness.Options) harness.Result {
	t.Helper()
	h, err := harness.New(&harness.Target{Kind: widgetV1.GroupKind(), Scheme: scheme, Versions: []harness.Version{{
		GroupVersionKind: widgetV1, Native: native, Declarative: declarative,
	}}}, options)
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 4)})
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

func TestDefaultsAreCompared(t *testing.T) {
	const absent = "absent after defaulting"
	type sides [2]string // native, declarative
	for _, tt := range []struct {
		why                 string
		native, declarative map[string]any
		want                map[string]sides
	}{
		{"the same default", map[string]any{"color": "red"}, map[string]any{"color": "red"}, map[string]sides{}},
		{"a different default", map[string]any{"color": "red"}, map[string]any{"color": "blue"},
			map[string]sides{"color": {`"red" after defaulting`, `"blue" after defaulting`}}},
		{"a default that no schema declares", map[string]any{"color": "red"}, map[string]any{},
			map[string]sides{"color": {`"red" after defaulting`, absent}}},
		{"a default that no function sets", map[string]any{}, map[string]any{"color": "red"},
			map[string]sides{"color": {absent, `"red" after defaulting`}}},
		{"an object, field by field", map[string]any{"policy": map[string]any{"a": int64(1), "b": int64(2)}},
			map[string]any{"policy": map[string]any{"a": int64(1), "b": int64(3)}},
			map[string]sides{"policy.b": {"2 after defaulting", "3 after defaulting"}}},
		{"the fields of an object that one side lacks", map[string]any{"policy": map[string]any{"a": int64(1), "a.b/c": true}},
			map[string]any{},
			map[string]sides{"policy.a": {"1 after defaulting", absent}, "policy[a.b/c]": {"true after defaulting", absent}}},
		{"an empty object is not none", map[string]any{"policy": map[string]any{}}, map[string]any{},
			map[string]sides{"policy": {"{} after defaulting", absent}}},
		{"nor is an object whose fields have nothing in them", map[string]any{"policy": map[string]any{"list": []any{}, "null": nil}},
			map[string]any{},
			map[string]sides{"policy": {`{"list":[],"null":null} after defaulting`, absent}}},
		{"an empty list counts as unset, and so does null", map[string]any{"list": []any{}}, map[string]any{"null": nil},
			map[string]sides{}},
		{"items of lists of the same length", map[string]any{"list": []any{"a", map[string]any{"b": true}}},
			map[string]any{"list": []any{"a", map[string]any{}}},
			map[string]sides{"list[1].b": {"true after defaulting", absent}}},
		{"lists of different lengths", map[string]any{"list": []any{"a", "b"}}, map[string]any{"list": []any{"a"}},
			map[string]sides{"list": {`["a","b"] after defaulting`, `["a"] after defaulting`}}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			result := checkDefaults(t, tt.native, declaring{sets: tt.declarative}, harness.Options{})
			got := map[string]sides{}
			for _, pair := range result.Pairs {
				if pair.Class != difference.Default {
					t.Errorf("class %q at %s", pair.Class, pair.Field())
				}
				got[pair.Field()] = sides{pair.Native.Detail, pair.Declarative.Detail}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
			if want := map[bool]words.Verdict{true: words.Different, false: words.Equal}[len(tt.want) > 0]; result.Verdict != want ||
				result.Effect != words.NoEffect {
				t.Errorf("verdict %s, effect %s; want %s: defaults refuse nothing", result.Verdict, result.Effect, want)
			}
		})
	}
}

// TestUndeclaredDefaults: defaults that no schema can declare are accepted wherever the backend is used,
// after the exceptions in the options.
func TestUndeclaredDefaults(t *testing.T) {
	exceptions := func(id string) *equivalence.Exceptions {
		t.Helper()
		loaded, err := equivalence.LoadExceptions(id+".yaml",
			[]byte("- {id: "+id+", target: example.com/v1 Widget, class: default, field: color, why: it depends on the size, "+
				"owner: sig-widgets, issue: https://example.com/1, expires: 2030-01-31}\n"), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	}
	schema := declaring{sets: map[string]any{}, undeclared: exceptions("of-the-schema")}
	for why, tt := range map[string]struct {
		native  map[string]any
		options harness.Options
		want    string // the exception, or ""
	}{
		"what the schema cannot declare": {map[string]any{"color": "red"}, harness.Options{}, "of-the-schema"},
		"the exceptions of the run first": {map[string]any{"color": "red"}, harness.Options{Exceptions: exceptions("of-the-run")},
			"of-the-run"},
		"another field": {map[string]any{"shape": "round"}, harness.Options{}, ""},
		"no exceptions at all": {map[string]any{"color": "red"},
			harness.Options{Exceptions: exceptions("of-the-run"), NoExceptions: true}, ""},
	} {
		got := ""
		for _, pair := range checkDefaults(t, tt.native, schema, tt.options).Pairs {
			if pair.Exception != nil {
				got = pair.Exception.ID
			}
		}
		if got != tt.want {
			t.Errorf("%s: accepted by %q, wanted %q", why, got, tt.want)
		}
	}
}

// TestDefaultsThatAreNotCompared: defaults are not compared if only verdicts are, if a backend is compared
// with itself, or if the schema is not meant to declare them.
func TestDefaultsThatAreNotCompared(t *testing.T) {
	for why, tt := range map[string]struct {
		declarative declaring
		options     harness.Options
	}{
		"verdicts alone":           {declaring{sets: map[string]any{}}, harness.Options{Compare: words.CompareVerdict}},
		"what is covered":          {declaring{sets: map[string]any{}}, harness.Options{Compare: words.CompareCovered}},
		"a backend with itself":    {declaring{sets: map[string]any{}}, harness.Options{Self: contract.NativeName}},
		"a schema of tags alone":   {declaring{}, harness.Options{}},
		"the same, compared fully": {declaring{sets: map[string]any{"color": "red"}}, harness.Options{Compare: words.CompareAll}},
	} {
		if result := checkDefaults(t, map[string]any{"color": "red"}, tt.declarative, tt.options); len(result.Pairs) > 0 ||
			result.Verdict != words.Equal {
			t.Errorf("%s: %s, %v", why, result.Verdict, result.Pairs)
		}
	}
}

// TestAcceptedDefaultsLeaveTheVerdict: the verdict is about errors.
func TestAcceptedDefaultsLeaveTheVerdict(t *testing.T) {
	exceptions, err := equivalence.LoadExceptions("defaults.yaml",
		[]byte("- {id: color, target: example.com/v1 Widget, class: default, field: color, why: w, owner: o, issue: "+
			"https://example.com/1, expires: 2027-12-31}\n"), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	ledger := equivalence.NewLedger(nil, exceptions)
	result := checkDefaults(t, map[string]any{"color": "red"}, declaring{sets: map[string]any{}},
		harness.Options{Exceptions: exceptions, Ledger: ledger})
	if result.Verdict != words.Equal || len(result.Pairs) != 1 || result.Pairs[0].Exception == nil || ledger.Usages()[0].Hits != 1 {
		t.Errorf("verdict %s, pairs %v, %d hits; want equal, the accepted pair, one hit", result.Verdict, result.Pairs,
			ledger.Usages()[0].Hits)
	}
}

// TestDefaultsThatDoNotCompile: no verdict is possible.
func TestDefaultsThatDoNotCompile(t *testing.T) {
	result := checkDefaults(t, map[string]any{}, declaring{sets: map[string]any{}, err: errors.New("a default contains itself")},
		harness.Options{})
	if result.Verdict != words.Faulted || result.Fault == nil {
		t.Errorf("verdict %s, fault %v", result.Verdict, result.Fault)
	}
}
