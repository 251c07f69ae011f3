package harness_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// says is a backend that returns its answers in order, and then repeats the last one.
func says(answers ...field.ErrorList) backend {
	var asked atomic.Int64
	return backend{"native", func(context.Context, *harness.Input) (field.ErrorList, error) {
		answer := answers[min(int(asked.Add(1)), len(answers))-1]
		if len(answer) > 0 && answer[0].Type == field.ErrorTypeInternal {
			return nil, errors.New(answer[0].Detail)
		}
		return answer, nil
	}}
}

// accepting makes exceptions of classes and fields, in pairs.
func accepting(t *testing.T, pairs ...string) *equivalence.Exceptions {
	t.Helper()
	var file strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&file, "- {id: e%d, target: '*/* Widget', class: %s, field: %s, why: known, owner: me, issue: "+
			"'https://example.com', expires: 2100-01-01}\n", i, pairs[i], pairs[i+1])
	}
	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", []byte(file.String()), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return exceptions
}

func TestOptions(t *testing.T) {
	size := field.Invalid(field.NewPath("size"), 1, "must be odd")
	color := field.Required(field.NewPath("color"), "")
	weight := field.Required(field.NewPath("weight"), "")
	schemaSize := field.Invalid(field.NewPath("size"), 1, "failed rule").WithOrigin("modulo")
	broken := field.InternalError(nil, errors.New("gone"))
	covered := func(err *field.Error) *field.Error { other := *err; return other.MarkCoveredByDeclarative() }
	list := func(errs ...*field.Error) field.ErrorList { return errs }
	for name, tc := range map[string]struct {
		why                 string
		native, declarative backend
		options             harness.Options
		want                words.Verdict
		pairs               []string
		fault               string
	}{
		"unstable": {
			why:    "an error in two of three answers is not a difference of the schema",
			native: says(list(size, color), list(size), list(color, size)), declarative: says(list(size)),
			options: harness.Options{Repeat: 3},
			want:    words.Unstable, pairs: []string{"unstable color", "= size"},
		},
		"unstable on both sides": {
			why:    "two that waver about one error do not agree about it",
			native: says(list(size), nil), declarative: says(nil, list(size)),
			options: harness.Options{Repeat: 2},
			want:    words.Unstable, pairs: []string{"unstable size"},
		},
		"unstable where the schema is sure": {
			why:    "the schema's error has no partner in half of the answers: that is not one error too many",
			native: says(list(size), nil), declarative: says(list(size)),
			options: harness.Options{Repeat: 2},
			want:    words.Unstable, pairs: []string{"unstable size"},
		},
		"stops at any error": {
			why:    "a validator that reports its first error only, in random order, may also have the third",
			native: says(list(size), list(color)), declarative: says(list(size, color, weight)),
			options: harness.Options{Repeat: 2},
			want:    words.Unstable, pairs: []string{"unstable color", "unstable size", "unstable weight"},
		},
		"unstable and accepted": {
			why: "a known error of an inconsistent validator is accepted like any other difference, and so is an error " +
				"that it never reports",
			native: says(list(size), nil), declarative: says(list(weight)),
			options: harness.Options{Repeat: 2, Exceptions: accepting(t, "unstable", "size", "too-strict", "weight")},
			want:    words.Excepted, pairs: []string{"unstable size", "too-strict weight"},
		},
		"another order": {
			why:    "the order of errors does not matter",
			native: says(list(size, color), list(color, size)), declarative: says(list(size, color)),
			options: harness.Options{Repeat: 5},
			want:    words.Equal, pairs: []string{"= color", "= size"},
		},
		"said once more": {
			why:    "how often an error is reported is part of the answer",
			native: says(list(size), list(size, size)), declarative: says(list(size)),
			options: harness.Options{Repeat: 2},
			want:    words.Unstable, pairs: []string{"unstable size"},
		},
		"fault on a repeat": {
			why:    "a backend that cannot always decide has not decided",
			native: says(list(size), list(broken)), declarative: says(list(size)),
			options: harness.Options{Repeat: 2},
			want:    words.Faulted, fault: "gone",
		},
		"native against itself": {
			why:    "the schema is not called",
			native: says(list(size)), declarative: says(nil),
			options: harness.Options{Self: contract.NativeName},
			want:    words.Equal, pairs: []string{"= size"},
		},
		"declarative against itself": {
			why:    "a backend that changes its answers is not equal to itself",
			native: says(list(size)), declarative: says(list(color), nil),
			options: harness.Options{Self: contract.DeclarativeName},
			want:    words.Unstable, pairs: []string{"unstable color"},
		},
		"covered errors only": {
			why:    "the schema may report an unmarked error, and may lack it",
			native: says(list(covered(size), color)), declarative: says(nil),
			options: harness.Options{Compare: words.CompareCovered},
			want:    words.Different, pairs: []string{"too-loose size"},
		},
		"covered by now": {
			why:    "an error of the schema that matches an excluded one is not one too many",
			native: says(list(size, color)), declarative: says(list(size)),
			options: harness.Options{Compare: words.CompareCovered},
			want:    words.Equal,
		},
		"covered at one of two places": {
			why:    "the unmarked place does not count, because the other one reports the same",
			native: says(list(size, covered(size))), declarative: says(list(size)),
			options: harness.Options{Compare: words.CompareCovered},
			want:    words.Equal, pairs: []string{"= size"},
		},
		"covered at both of two places": {
			why:    "the schema reports once what is marked twice",
			native: says(list(covered(size), size, covered(size))), declarative: says(list(size)),
			options: harness.Options{Compare: words.CompareCovered},
			want:    words.Different, pairs: []string{"count size"},
		},
		"covered and one too many": {
			why:    "an error that only the schema reports stays a difference",
			native: says(list(size)), declarative: says(list(size, color)),
			options: harness.Options{Compare: words.CompareCovered},
			want:    words.Different, pairs: []string{"too-strict color"},
		},
		"covered and at a field of another mistake": {
			why:    "an error that is not compared excuses only what it matches: only the schema rejects this",
			native: says(list(size, color)), declarative: says(list(field.Invalid(field.NewPath("size"), 1, "must be at least 5"))),
			options: harness.Options{Compare: words.CompareCovered},
			want:    words.Different, pairs: []string{"too-strict size"},
		},
		"covered and of another type or at another field": {
			why: "as above, for all ways of being similar; the rest is in the order of fields",
			native: says(list(field.Forbidden(field.NewPath("size"), "must be odd"),
				field.Invalid(field.NewPath("spec", "a"), 7, "must be even"))),
			declarative: says(list(size, field.Invalid(field.NewPath("alpha"), 7, "must be even"))),
			options:     harness.Options{Compare: words.CompareCovered},
			want:        words.Different, pairs: []string{"too-strict alpha", "too-strict size"},
		},
		"covered and not always said": {
			why:    "the schema always reports an unmarked error that is sometimes reported",
			native: says(list(size), nil), declarative: says(list(size)),
			options: harness.Options{Compare: words.CompareCovered, Repeat: 2},
			want:    words.Unstable, pairs: []string{"unstable size"},
		},
		"not covered and not always said": {
			why:    "errors that are not compared may be inconsistent",
			native: says(list(size), nil), declarative: says(nil),
			options: harness.Options{Compare: words.CompareCovered, Repeat: 2},
			want:    words.Equal,
		},
		"by origin": {
			why: "upstream compares the origin instead of the text",
			native: says(list((&field.Error{Type: size.Type, Field: size.Field, BadValue: 1,
				Detail: "must be odd"}).WithOrigin("modulo"))),
			declarative: says(list(schemaSize)),
			options:     harness.Options{ByOrigin: true},
			want:        words.Equivalent, pairs: []string{" size"},
		},
		"by text": {
			why: "the origin does not matter unless its comparison is requested",
			native: says(list((&field.Error{Type: size.Type, Field: size.Field, BadValue: 1,
				Detail: "must be odd"}).WithOrigin("modulo"))),
			declarative: says(list(schemaSize)),
			want:        words.Different, pairs: []string{"detail size"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := harness.New(&harness.Target{
				Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
				Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: tc.native, Declarative: tc.declarative}},
			}, tc.options)
			if err != nil {
				t.Fatal(err)
			}
			results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 1)})
			if err != nil {
				t.Fatal(err)
			}
			var pairs []string
			for _, pair := range results[0].Pairs {
				class := string(pair.Class)
				if pair.Exact() {
					class = "="
				}
				pairs = append(pairs, class+" "+pair.Field())
			}
			if diff := cmp.Diff(tc.pairs, pairs); diff != "" || results[0].Verdict != tc.want {
				t.Errorf("%s: verdict %s, want %s; pairs (-want +got):\n%s", tc.why, results[0].Verdict, tc.want, diff)
			}
			if fault := results[0].Native.Fault; tc.fault != "" && (fault == nil || fault.Error() != tc.fault) {
				t.Errorf("fault %v, want %q", fault, tc.fault)
			}
		})
	}
}

// The errors in "want" are native ones.
func TestSelfDeclarativeWantsNothing(t *testing.T) {
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: says(nil), Declarative: says(nil)}},
	}, harness.Options{Self: contract.DeclarativeName})
	if err != nil {
		t.Fatal(err)
	}
	c := harness.Case{Object: widget("a", 1), Want: []harness.ExpectedError{{Type: field.ErrorTypeRequired, Field: "color"}}}
	results, err := h.Check(t.Context(), c)
	if err != nil || len(results[0].Unmet) > 0 {
		t.Errorf("error %v, unmet %q; the native backend was not asked", err, results[0].Unmet)
	}
}

// Each repetition sees the same object in different maps.
func TestRepeatRebuilds(t *testing.T) {
	orders := map[string]bool{}
	var objects []map[string]any
	looks := backend{"native", func(_ context.Context, in *harness.Input) (field.ErrorList, error) {
		object, err := in.Object.Unstructured()
		objects = append(objects, object)
		var keys []string
		for key := range object["labels"].(map[string]any) {
			keys = append(keys, key)
		}
		orders[strings.Join(keys, " ")] = true
		return nil, err
	}}
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: looks, Declarative: says(nil)}},
	}, harness.Options{Repeat: 20})
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]any{}
	for i := range 20 {
		labels[fmt.Sprint("label", i)] = []any{int64(i), nil, map[string]any{"a": true}}
	}
	object := widget("a", 1)
	object["labels"] = labels
	if _, err := h.Check(t.Context(), harness.Case{Object: object}); err != nil {
		t.Fatal(err)
	}
	if len(objects) != 20 || len(orders) < 2 {
		t.Errorf("%d objects in %d orders; want 20 in several", len(objects), len(orders))
	}
	for _, seen := range objects {
		if diff := cmp.Diff(object, seen); diff != "" {
			t.Errorf("a repeat saw another object (-want +got):\n%s", diff)
		}
	}
}

// A rule for one version explains nothing in other versions.
func TestRulesByVersion(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: odd
  why: v1 words it in another way
  target: example.com/v1 Widget
  type: FieldValueInvalid
  native: must be odd
  declarative: is even
  examples: {match: [[must be odd, is even]], differ: [[must be odd, is odd]]}
`))
	if err != nil {
		t.Fatal(err)
	}
	native := says(field.ErrorList{field.Invalid(field.NewPath("size"), 2, "must be odd")})
	declarative := says(field.ErrorList{field.Invalid(field.NewPath("size"), 2, "is even")})
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: anyVersion{},
		Versions: []harness.Version{
			{GroupVersionKind: widgetV1, Native: native, Declarative: declarative},
			{GroupVersionKind: widgetV1.GroupKind().WithVersion("v1beta1"), Native: native, Declarative: declarative},
		},
	}, harness.Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 2)})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Verdict != words.Equivalent || results[1].Verdict != words.Different {
		t.Errorf("verdicts %s and %s, want equivalent in v1 alone", results[0].Verdict, results[1].Verdict)
	}
}

// anyVersion accepts a document as one of any version.
type anyVersion struct{ harness.Documents }

func (anyVersion) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

func TestOptionsMistakes(t *testing.T) {
	_, err := harness.New(&harness.Target{
		Scheme:   harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: says(nil), Declarative: says(nil)}},
	}, harness.Options{Repeat: -1, Self: "reference", Compare: "some"})
	if err == nil {
		t.Fatal("options with mistakes were taken")
	}
	for _, part := range []string{
		"repeat is -1",
		`Self does not know "reference"; accepted: native, declarative`,
		`Compare does not know "some"; accepted: all, covered, verdict`,
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v\ndoes not say %s", err, part)
		}
	}
}

// unchecking is a backend whose rules are evaluated separately.
type unchecking struct {
	backend
	rules func() (field.ErrorList, error)
}

func (u unchecking) Capabilities() contract.Capabilities {
	return contract.Capabilities{UncheckedRules: func(context.Context, *harness.Input) (field.ErrorList, error) { return u.rules() }}
}

// If a schema did not check its rules, they are evaluated separately. If that fails, nothing is decided.
func TestUnchecked(t *testing.T) {
	missing := field.Required(field.NewPath("color"), "")
	odd := field.Invalid(field.NewPath("size"), 2, "must be odd")
	stopped := field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; "+
		"correct the existing errors to complete validation")
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		declarative harness.Backend
		want        words.Verdict
	}{
		"a rule says it": {unchecking{says(field.ErrorList{missing, stopped}), func() (field.ErrorList, error) {
			return field.ErrorList{odd}, nil
		}}, words.Equivalent},
		"the rules hold": {unchecking{says(field.ErrorList{missing, stopped}), func() (field.ErrorList, error) { return nil, nil }},
			words.Different},
		"nobody can be asked": {says(field.ErrorList{missing, stopped}), words.Different},
		"the rules cannot tell": {unchecking{says(field.ErrorList{missing, stopped}), func() (field.ErrorList, error) {
			return nil, errors.New("no rules")
		}}, words.Faulted},
		"the rules panic": {unchecking{says(field.ErrorList{missing, stopped}), func() (field.ErrorList, error) { panic("rules") }},
			words.Faulted},
		"the rules were checked": {unchecking{says(field.ErrorList{missing}), func() (field.ErrorList, error) { panic("not to be asked") }},
			words.Different},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := harness.New(&harness.Target{
				Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
				Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: says(field.ErrorList{missing, odd}),
					Declarative: tc.declarative}},
			}, harness.Options{Rules: rules})
			if err != nil {
				t.Fatal(err)
			}
			results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 2)})
			if err != nil || results[0].Verdict != tc.want {
				t.Errorf("verdict %s, want %s; error %v; pairs %v", results[0].Verdict, tc.want, err, results[0].Pairs)
			}
		})
	}
}
