package declarative_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestWatch: each input reports which places of the schema it reached, passed and failed.
func TestWatch(t *testing.T) {
	number := served.Schema(t, `{type: integer, maximum: 5}`)
	coverage := &tally.Coverage{}
	v := compile(t, `
type: object
required: [a]
properties:
  a: {$ref: "#/definitions/Number"}
  b: {$ref: "#/definitions/Number"}
x-kubernetes-validations:
- rule: "self.a > 0"
`, declarative.Options{Coverage: coverage, Definitions: map[string]*spec.Schema{"Number": number}})
	for _, tt := range []struct {
		input string
		want  []string
	}{
		{`{a: 1, b: 9}`, []string{
			"definitions[Number].maximum false true",
			"definitions[Number].maximum true false",
			"required[0] true false",
			"x-kubernetes-validations[0] true false",
		}},
		{`{}`, []string{"required[0] false true", "x-kubernetes-validations[0] false false"}},
	} {
		var got []string
		ctx := tally.Watch(t.Context(), func(s tally.Seen) {
			if s.Declared != "type" && s.Declared != "definitions[Number].type" {
				got = append(got, fmt.Sprint(s.Declared, " ", s.Passed, " ", s.Failed))
			}
		})
		v.Validate(ctx, value.NewValueInterface(object(t, tt.input)), nil)
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.input, diff)
		}
	}
	for _, p := range coverage.Places() {
		if p.Path == "b" && p.Keyword == "maximum" && !slices.Equal(p.Declared, []string{"definitions[Number].maximum"}) {
			t.Errorf("%+v", p)
		}
	}
}

// TestChanged: the changed schema validates, and the original is unaffected.
func TestChanged(t *testing.T) {
	v := compile(t, `{type: object, properties: {a: {type: integer, maximum: 5}}}`, declarative.Options{})
	changed, err := v.Changed(func(d tally.Document) tally.Document {
		root := *d.Root
		root.Properties = map[string]spec.Schema{"a": *spec.Int64Property()}
		return tally.Document{Root: &root, Definitions: d.Definitions}
	})
	if err != nil {
		t.Fatal(err)
	}
	nine := value.NewValueInterface(object(t, `{a: 9}`))
	if errs := changed.Validate(t.Context(), nine, nil); len(errs) > 0 {
		t.Errorf("changed: %v", errs)
	}
	if errs := v.Validate(t.Context(), nine, nil); len(errs) != 1 {
		t.Errorf("the one before: %v", errs)
	}
}

// TestChangedKeepsRules: unchanged rules return the same errors as if they were compiled again, and a changed
// rule is compiled.
func TestChangedKeepsRules(t *testing.T) {
	const before, after = "self.b.size() < 3", "self.b.size() < 9"
	text := `
type: object
properties:
  a: {type: integer, maximum: 5}
  b: {type: string, x-kubernetes-validations: [{rule: "self != 'no'"}]}
x-kubernetes-validations: [{rule: "` + before + `"}]
`
	v := compile(t, text, declarative.Options{WithoutEstimation: true})
	changed := strings.ReplaceAll(strings.ReplaceAll(text, before, after), "maximum: 5", "maximum: 7")
	want := compile(t, changed, declarative.Options{})
	got, err := v.Changed(func(tally.Document) tally.Document {
		return tally.Document{Root: served.Schema(t, changed), SameTypes: true}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range []string{`{a: 6, b: longer}`, `{a: 8, b: "no"}`, `{a: 1, b: far too long}`} {
		object := value.NewValueInterface(object(t, input))
		if diff := cmp.Diff(fmt.Sprint(want.Validate(t.Context(), object, nil)),
			fmt.Sprint(got.Validate(t.Context(), object, nil))); diff != "" {
			t.Errorf("%s (-compiled anew +changed):\n%s", input, diff)
		}
	}
}

// TestCountedWithoutRatcheting: the validator without ratcheting of a counting validator validates, and
// counts nothing.
func TestCountedWithoutRatcheting(t *testing.T) {
	coverage := &tally.Coverage{}
	v := compile(t, `{type: object, required: [b], properties: {a: {type: integer, maximum: 5, x-kubernetes-validations: `+
		`[{rule: self != 7}]}}}`, declarative.Options{Coverage: coverage})
	nine := value.NewValueInterface(object(t, `{a: 7}`))
	if errs := v.WithoutRatcheting().Validate(t.Context(), nine, nine); len(errs) != 3 {
		t.Errorf("without ratcheting: %v", errs)
	}
	for _, p := range coverage.Places() {
		if p.Reached > 0 {
			t.Errorf("counted: %+v", p)
		}
	}
}
