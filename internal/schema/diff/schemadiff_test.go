package diff_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	schemadiff "github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// side makes one side of a comparison from a schema with its definitions.
func side(t testing.TB, text string) schemadiff.Side {
	t.Helper()
	s := served.Schema(t, text)
	all := map[string]*spec.Schema{}
	for name, definition := range s.Definitions {
		all[name] = &definition
	}
	source := schemadiff.OfDefinition
	if len(all) > 0 {
		source = schemadiff.AnySchema
	}
	of, err := schemadiff.Compile(s, all, source)
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// TestWalk lists each change, and validates objects to check the description: each change that an object can
// show must be shown, and nothing else may differ.
func TestWalk(t *testing.T) {
	for _, tt := range []struct {
		name, why, a, b string
		want            []string
	}{
		{name: "nothing", why: "texts are no changes", a: `{type: string, description: one}`,
			b: `{type: string, description: two, title: three}`},
		{name: "upper bound", why: "smaller is narrower", a: `{type: integer, maximum: 10}`, b: `{type: integer, maximum: 3}`,
			want: []string{"narrower f: maximum 10 → 3"}},
		{name: "lower bound", why: "smaller is wider", a: `{type: integer, minimum: 10}`, b: `{type: integer, minimum: 3}`,
			want: []string{"wider f: minimum 10 → 3"}},
		{name: "new bound", why: "one that was not there", a: `{type: string}`, b: `{type: string, maxLength: 2}`,
			want: []string{"narrower f: maxLength 2"}},
		{name: "no bound", why: "one that is gone", a: `{type: array, items: {type: string}, minItems: 2}`,
			b: `{type: array, items: {type: string}}`, want: []string{"wider f: no minItems, it was 2"}},
		{name: "exclusive", why: "the bound itself goes", a: `{type: integer, maximum: 3}`,
			b: `{type: integer, maximum: 3, exclusiveMaximum: true}`, want: []string{"narrower f: exclusiveMaximum"}},
		{name: "both bounds", why: "each by itself", a: `{type: integer, minimum: 1, maximum: 5}`,
			b: `{type: integer, minimum: 2, maximum: 6}`, want: []string{"wider f: maximum 5 → 6", "narrower f: minimum 1 → 2"}},
		{name: "number", why: "integers are numbers", a: `{type: integer}`, b: `{type: number}`,
			want: []string{"wider f: type integer → number"}},
		{name: "int-or-string", why: "its own type", a: `{type: string}`, b: `{x-kubernetes-int-or-string: true}`,
			want: []string{"wider f: type string → integer or string"}},
		{name: "a different type", why: "both ways", a: `{type: boolean}`, b: `{type: string}`,
			want: []string{"other f: type boolean → string"}},
		{name: "enum", why: "by its values", a: `{type: string, enum: [a, b]}`, b: `{type: string, enum: [b, c]}`,
			want: []string{`wider f: enum has also ["c"]`, `narrower f: enum no longer has ["a"]`}},
		{name: "new enum", why: "only these now", a: `{type: string}`, b: `{type: string, enum: [a]}`,
			want: []string{`narrower f: enum ["a"]`}},
		{name: "pattern", why: "all texts of one, and others", a: `{type: string, pattern: "^a+$"}`,
			b: `{type: string, pattern: "^[ab]+$"}`, want: []string{"wider f: pattern ^a+$ → ^[ab]+$"}},
		{name: "anchors", why: "anything before and after was accepted", a: `{type: string, pattern: "abc"}`,
			b: `{type: string, pattern: "^abc$"}`, want: []string{"narrower f: pattern abc → ^abc$"}},
		{name: "parentheses", why: "the end belonged to one alternative", a: `{type: string, pattern: "^([0-9]+(s|m|h))+|(Never)$"}`,
			b:    `{type: string, pattern: "^(([0-9]+(s|m|h))+|Never)$"}`,
			want: []string{"narrower f: pattern ^([0-9]+(s|m|h))+|(Never)$ → ^(([0-9]+(s|m|h))+|Never)$"}},
		{name: "required", why: "at the required field", a: `{type: object, properties: {a: {type: string}}}`,
			b: `{type: object, required: [a], properties: {a: {type: string}}}`, want: []string{"narrower f.a: required"}},
		{name: "new field", why: "an unknown field is refused", a: `{type: object}`,
			b: `{type: object, properties: {a: {type: string}}}`, want: []string{"wider f.a: new field"}},
		{name: "declared field", why: "where anything was allowed", a: `{type: object, x-kubernetes-preserve-unknown-fields: true}`,
			b:    `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}`,
			want: []string{"narrower f.a: declared, where anything was allowed"}},
		{name: "anything", why: "unknown fields are kept", a: `{type: object, properties: {a: {type: string}}}`,
			b:    `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}`,
			want: []string{"wider f: any other field is allowed"}},
		{name: "values of a map", why: "below any key", a: `{type: object, additionalProperties: {type: integer, maximum: 5}}`,
			b: `{type: object, additionalProperties: {type: integer, maximum: 4}}`, want: []string{"narrower f.*: maximum 5 → 4"}},
		{name: "items", why: "of a list", a: `{type: array, items: {type: integer, maximum: 5}}`,
			b: `{type: array, items: {type: integer, maximum: 4}}`, want: []string{"narrower f[*]: maximum 5 → 4"}},
		{name: "set", why: "no item twice", a: `{type: array, items: {type: boolean}}`,
			b:    `{type: array, items: {type: boolean}, x-kubernetes-list-type: set}`,
			want: []string{"narrower f: x-kubernetes-list-type set"}},
		{name: "rule", why: "one follows from the other", a: `{type: integer, x-kubernetes-validations: [{rule: self < 5}]}`,
			b: `{type: integer, x-kubernetes-validations: [{rule: self < 4}]}`, want: []string{"narrower f: rule reworded"}},
		{name: "junctor", why: "it has no name", a: `{type: integer, anyOf: [{maximum: 1}, {minimum: 8}]}`,
			b:    `{type: integer, anyOf: [{maximum: 2}, {minimum: 9}]}`,
			want: []string{`unknown f: anyOf [{"maximum":1},{"minimum":8}] → [{"maximum":2},{"minimum":9}]`}},
		{name: "default", why: "allows a required field to be missing", a: `{type: object, required: [a], properties: {a: ` +
			`{type: string}}}`, b: `{type: object, required: [a], properties: {a: {type: string, default: x}}}`,
			want: []string{`wider f.a: default "x"`}},
		// the API server drops a null where it is not allowed
		{name: "nullable", why: "a null was left out, and an absent field is no error,", a: `{type: string}`,
			b: `{type: string, nullable: true}`},
		{name: "nullable and required", why: "a null was left out", a: `{type: object, required: [a], properties: {a: {type: string}}}`,
			b: `{type: object, required: [a], properties: {a: {type: string, nullable: true}}}`, want: []string{"wider f.a: nullable"}},
		{name: "nullable and read by a rule", why: "rules do not see a null",
			a: `{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: "has(self.a)"}]}`,
			b: `{type: object, properties: {a: {type: string, nullable: true}}, x-kubernetes-validations: [{rule: "has(self.a)"}]}`},
		{name: "nullable item", why: "a null in a list stays", a: `{type: array, items: {type: string}}`,
			b: `{type: array, items: {type: string, nullable: true}}`, want: []string{"wider f[*]: nullable"}},
		{name: "a different rule", why: "the two have little in common", a: `{type: integer, x-kubernetes-validations: [{rule: ` +
			`self < 5}]}`, b: `{type: integer, x-kubernetes-validations: [{rule: "[10, 20, 30].exists(x, x == self)"}]}`,
			want: []string{"wider f: no longer a rule: self < 5", "narrower f: rule [10, 20, 30].exists(x, x == self)"}},
		{name: "the same rule", why: "spaces and parentheses do not matter", a: `{type: integer, x-kubernetes-validations: ` +
			`[{rule: self < 5}]}`, b: `{type: integer, x-kubernetes-validations: [{rule: "(self  <5)"}]}`},
		{name: "a message that stays", why: "the rule is the same one", a: `{type: integer, x-kubernetes-validations: [{rule: ` +
			`self < 5, message: too many}]}`, b: `{type: integer, x-kubernetes-validations: [{rule: "[1, 2].exists(x, x >= self)", ` +
			`message: too many}]}`, want: []string{"unknown f: rule reworded"}},
		{name: "large list", why: "one more than B takes", a: `{type: array, maxItems: 100, items: {type: object, required: ` +
			`[k], properties: {k: {type: string}}}}`, b: `{type: array, maxItems: 90, items: {type: object, required: [k], ` +
			`properties: {k: {type: string}}}}`, want: []string{"narrower f: maxItems 100 → 90"}},
		{name: "large set", why: "items differ", a: `{type: array, maxItems: 100, x-kubernetes-list-type: set, items: {type: string}}`,
			b:    `{type: array, maxItems: 40, x-kubernetes-list-type: set, items: {type: string}}`,
			want: []string{"narrower f: maxItems 100 → 40"}},
		{name: "list of keys", why: "keys differ", a: `{type: array, minItems: 30, x-kubernetes-list-type: map, ` +
			`x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}}}}`,
			b: `{type: array, minItems: 20, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, ` +
				`required: [k], properties: {k: {type: string}}}}`, want: []string{"wider f: minItems 30 → 20"}},
		{name: "long text", why: "with a pattern", a: `{type: string, maxLength: 253, pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$"}`,
			b: `{type: string, maxLength: 63, pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$"}`, want: []string{"narrower f: maxLength 253 → 63"}},
		{name: "many fields", why: "of a map", a: `{type: object, maxProperties: 20, additionalProperties: {type: string}}`,
			b:    `{type: object, maxProperties: 12, additionalProperties: {type: string}}`,
			want: []string{"narrower f: maxProperties 20 → 12"}},
		{name: "very many fields", why: "of a map", a: `{type: object, maxProperties: 1000, additionalProperties: {type: ` +
			`integer, minimum: 3}}`, b: `{type: object, maxProperties: 64, additionalProperties: {type: integer, minimum: 3}}`,
			want: []string{"narrower f: maxProperties 1000 → 64"}},
		{name: "at least many fields", why: "of a map", a: `{type: object, minProperties: 200, additionalProperties: {type: string}}`,
			b:    `{type: object, minProperties: 64, additionalProperties: {type: string}}`,
			want: []string{"wider f: minProperties 200 → 64"}},
		{name: "fields that are kept", why: "nobody declares them", a: `{type: object, x-kubernetes-preserve-unknown-fields: true}`,
			b:    `{type: object, maxProperties: 80, x-kubernetes-preserve-unknown-fields: true}`,
			want: []string{"narrower f: maxProperties 80"}},
		{name: "deep", why: "below required fields", a: `{type: array, items: {type: object, required: [k, l], properties: {k: ` +
			`{type: string, minLength: 3}, l: {type: array, minItems: 1, items: {type: integer, maximum: 70000}}}}}`,
			b: `{type: array, items: {type: object, required: [k, l], properties: {k: {type: string, minLength: 3}, l: {type: ` +
				`array, minItems: 1, items: {type: integer, maximum: 65535}}}}}`,
			want: []string{"narrower f[*].l[*]: maximum 70000 → 65535"}},
		{name: "format", why: "a text of one that does not match the other", a: `{type: string, format: ipv4}`,
			b: `{type: string, format: ipv6}`, want: []string{"unknown f: format ipv4 → ipv6"}},
		{name: "multipleOf", why: "where there was none", a: `{type: integer}`, b: `{type: integer, multipleOf: 7}`,
			want: []string{"narrower f: multipleOf none → 7"}},
		{name: "inert", why: "it is a keyword of a different type", a: `{type: array, maxLength: 5, items: {type: integer}}`,
			b: `{type: array, maxLength: 4, items: {type: integer, pattern: a}}`},
		{name: "not", why: "where there was none", a: `{type: string}`, b: `{type: string, not: {enum: [a]}}`,
			want: []string{`narrower f: not none → {"enum":["a"]}`}},
		{name: "rule among others", why: "others hold on", a: `{type: object, required: [a, b], properties: {a: {type: integer}, ` +
			`b: {type: integer}}, x-kubernetes-validations: [{rule: self.a < self.b, message: a is less}]}`,
			b: `{type: object, required: [a, b], properties: {a: {type: integer}, b: {type: integer}}, x-kubernetes-validations: ` +
				`[{rule: self.a < self.b, message: a is less}, {rule: self.b - self.a < 4, message: not far}]}`,
			want: []string{"narrower f: rule self.b - self.a < 4"}},
		{name: "transition rule", why: "an update shows it", a: `{type: string}`,
			b:    `{type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: immutable}]}`,
			want: []string{"narrower f: rule self == oldSelf"}},
		{name: "transition rule that is gone", why: "an update shows it", a: `{type: object, properties: {a: {type: integer}, ` +
			`b: {type: string}}, x-kubernetes-validations: [{rule: "!has(oldSelf.a) || has(self.a)"}]}`,
			b:    `{type: object, properties: {a: {type: integer}, b: {type: string}}}`,
			want: []string{"wider f: no longer a rule: !has(oldSelf.a) || has(self.a)"}},
		{name: "transition rule of items", why: "items with the same key", a: `{type: array, x-kubernetes-list-type: map, ` +
			`x-kubernetes-list-map-keys: [k], items: {type: object, required: [k, v], properties: {k: {type: string}, v: {type: ` +
			`integer}}}}`,
			b: `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k, ` +
				`v], properties: {k: {type: string}, v: {type: integer}}, x-kubernetes-validations: [{rule: self.v >= oldSelf.v}]}}`,
			want: []string{"narrower f[*]: rule self.v >= oldSelf.v"}},
		{name: "transition rule reworded", why: "an update shows it", a: `{type: integer, x-kubernetes-validations: [{rule: ` +
			`self >= oldSelf}]}`, b: `{type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]}`,
			want: []string{"unknown f: rule reworded"}},
		{name: "a different default", why: "both accept what has none", a: `{type: integer, default: 3}`,
			b: `{type: integer, default: 5}`, want: []string{"stored f: default 3 → 5"}},
		{name: "a default", why: "both accept what has none", a: `{type: array, items: {type: object, properties: {v: {type: ` +
			`integer}}}}`, b: `{type: array, items: {type: object, properties: {v: {type: integer, default: 5}}}}`,
			want: []string{"stored f[*].v: default 5"}},
		{name: "no default", why: "both accept what has none", a: `{type: object, default: {}, properties: {v: {type: integer, ` +
			`default: 4}}}`, b: `{type: object, properties: {v: {type: integer, default: 4}}}`,
			want: []string{"stored f: no default, it was {}"}},
		{name: "nullable with a default", why: "the default no longer stands for a null", a: `{type: string, default: a}`,
			b: `{type: string, default: a, nullable: true}`, want: []string{"stored f: nullable"}},
		{name: "rule with a long message", why: "errors are shown cut", a: `{type: string}`,
			b: `{type: string, x-kubernetes-validations: [{rule: "self != 'abc'", message: "` + strings.Repeat("very ", 900) +
				`long"}]}`,
			want: []string{"narrower f: rule self != 'abc'"}},
		{name: "rule of several lines", why: "line breaks are shown escaped", a: `{type: string}`,
			b:    `{type: string, x-kubernetes-validations: [{rule: "self != 'abc' ||\nfalse", messageExpression: "'not abc'"}]}`,
			want: []string{"narrower f: rule self != 'abc' ||\nfalse"}},
		{name: "rule of a new field", why: "A rejects the field", a: `{type: object, properties: {a: {type: string}}}`,
			b: `{type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: ` +
				`"!has(self.b) || has(self.a)"}]}`, want: []string{"wider f.b: new field"}},
		{name: "rule of a new field of an optional one", why: "A rejects the field",
			a: `{type: object, properties: {a: {type: object}}}`, b: `{type: object, properties: {a: {type: object, properties: ` +
				`{b: {type: string}}}}, x-kubernetes-validations: [{rule: "!has(self.a) || !has(self.a.b) || self.a.b != ''"}]}`,
			want: []string{"wider f.a.b: new field"}},
		{name: "rule of a new value", why: "A rejects the value", a: `{type: object, required: [t], properties: {t: {type: ` +
			`string, enum: [k]}}}`, b: `{type: object, required: [t], properties: {t: {type: string, enum: [k, l]}, l: {type: ` +
			`string}}, x-kubernetes-validations: [{rule: "self.t == 'l' ? has(self.l) : !has(self.l)"}]}`,
			want: []string{"wider f.l: new field", `wider f.t: enum has also ["l"]`}},
		{name: "rule of a new field of items", why: "A rejects the field", a: `{type: object, properties: {l: {type: array, ` +
			`maxItems: 9, items: {type: object, properties: {a: {type: string}}}}}}`,
			b: `{type: object, properties: {l: {type: array, maxItems: 9, items: {type: object, properties: {a: {type: string}, ` +
				`b: {type: string}}}}}, x-kubernetes-validations: [{rule: "!has(self.l) || self.l.all(x, !has(x.b) || has(x.a))"}]}`,
			want: []string{"wider f.l[*].b: new field"}},
		{name: "rule of a new field with a default", why: "it is there", a: `{type: object, properties: {a: {type: string}}}`,
			b: `{type: object, properties: {a: {type: string}, b: {type: string, default: x}}, x-kubernetes-validations: [{rule: ` +
				`"!has(self.b) || has(self.a)"}]}`, want: []string{"narrower f: rule !has(self.b) || has(self.a)", "wider f.b: new field"}},
		{name: "rule of a new field where others are kept", why: "A takes any field",
			a: `{type: object, x-kubernetes-preserve-unknown-fields: true}`,
			b: `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}}, x-kubernetes-validations: ` +
				`[{rule: "!has(self.b) || self.b != 'no'"}]}`, want: []string{
				"narrower f: rule !has(self.b) || self.b != 'no'",
				"narrower f.b: declared, where anything was allowed",
			}},
		{name: "rule that needs a new field", why: "A accepts what has none", a: `{type: object, properties: {a: {type: string}}}`,
			b: `{type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: ` +
				`"has(self.b) || has(self.a)"}]}`, want: []string{"narrower f: rule has(self.b) || has(self.a)", "wider f.b: new field"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := func(f string) schemadiff.Side { return side(t, `{type: object, properties: {f: `+f+`}}`) }
			a, b := in(tt.a), in(tt.b)
			changes := schemadiff.Walk(a, b)
			shown, err := schemadiff.Witness(t.Context(), a, b, changes, 1)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, written(shown)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, diff)
			}
			outcome, err := schemadiff.Run(t.Context(), a, b, schemadiff.RunOptions{Objects: 400, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			explained := schemadiff.Explain(shown, outcome.Examples)
			if diff := cmp.Diff(tt.want, written(explained)); diff != "" {
				t.Errorf("an example that no change explains: %v (-want +got):\n%s", outcome.Examples, diff)
			}
			for _, change := range shown {
				if len(change.Examples) == 0 {
					t.Errorf("%s: %s is not shown by any object", change.Path, change.What)
				}
				for _, example := range change.Examples {
					byA, byB := a.Validate(t.Context(), example.Object), b.Validate(t.Context(), example.Object)
					if example.Old != nil {
						byA, byB = a.Update(t.Context(), example.Object, example.Old), b.Update(t.Context(), example.Object, example.Old)
					}
					if example.Effect == schemadiff.Stored {
						if len(byA)+len(byB) > 0 || reflect.DeepEqual(example.StoredA, example.StoredB) {
							t.Errorf("%v is stored as %v and %v; A says %v and B %v", example.Object, example.StoredA, example.StoredB, byA,
								byB)
						}
						continue
					}
					if narrower := len(byA) == 0 && len(byB) > 0; narrower != (example.Effect == schemadiff.Narrower) {
						t.Errorf("%v is an example of %s, but A says %v and B %v", example.Object, example.Effect, byA, byB)
					}
				}
			}
		})
	}
}

func written(changes []schemadiff.Change) []string {
	var all []string
	for _, change := range changes {
		all = append(all, fmt.Sprintf("%s %s: %s", change.Effect, change.Path, change.What))
	}
	return all
}

// TestUnexplained: a difference of objects that no change explains is not lost.
func TestUnexplained(t *testing.T) {
	a := side(t, `{type: object, properties: {f: {type: integer}}}`)
	b := a
	b.Validate = func(_ context.Context, object map[string]any) []schemadiff.Rejection {
		if f, has := object["f"].(int64); has && f > 0 {
			return []schemadiff.Rejection{{Field: "f", Kind: "odd", Text: "f: I do not like it"}}
		}
		return a.Validate(context.Background(), object)
	}
	outcome, err := schemadiff.Run(t.Context(), a, b, schemadiff.RunOptions{Objects: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	changes := schemadiff.Explain(schemadiff.Walk(a, b), outcome.Examples)
	if len(changes) != 1 || changes[0].Effect != schemadiff.Unknown ||
		!slices.Equal(slices.Collect(keys(changes[0].Examples[0].Object)), []string{"f"}) {
		t.Errorf("want one unknown change with the smallest object, got %+v", changes)
	}
}

func keys(object map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range object {
			if !yield(key) {
				return
			}
		}
	}
}

// TestRecursive: a recursive definition ends.
func TestRecursive(t *testing.T) {
	tree := `{type: object, properties: {t: {$ref: "#/definitions/tree"}}, definitions: {tree: {type: object, properties: ` +
		`{left: {$ref: "#/definitions/tree"}, v: {type: integer, maximum: %d}}}}}`
	a, b := side(t, fmt.Sprintf(tree, 5)), side(t, fmt.Sprintf(tree, 4))
	if diff := cmp.Diff([]string{"narrower t.v: maximum 5 → 4"}, written(schemadiff.Walk(a, b))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	outcome, err := schemadiff.Run(t.Context(), a, b, schemadiff.RunOptions{Objects: 600, Seed: 1})
	if err != nil || len(outcome.Examples) == 0 || !strings.Contains(outcome.Examples[0].Text, "t.v") {
		t.Errorf("got %v, %v", outcome, err)
	}
}

// TestInterrupted: if the context ends while an object is reduced, validators of it return different results
// than before. That is neither an example nor a panic.
func TestInterrupted(t *testing.T) {
	known := []map[string]any{{}, {}, {}, {}, {}, {}} // as many as requested
	for cancelledBy := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		a := side(t, `{type: object, properties: {f: {type: integer}}}`)
		a.Validate = func(context.Context, map[string]any) []schemadiff.Rejection { return nil }
		b, calls := a, 0
		b.Validate = func(ctx context.Context, object map[string]any) []schemadiff.Rejection {
			if calls++; calls == cancelledBy {
				cancel()
			}
			_, has := object["f"]
			switch {
			case !has:
				return nil
			case ctx.Err() != nil:
				return []schemadiff.Rejection{{Field: "f", Kind: "cut short"}}
			}
			return []schemadiff.Rejection{{Field: "f", Kind: "odd"}}
		}
		outcome, err := schemadiff.Run(ctx, a, b, schemadiff.RunOptions{Objects: 100, Seed: 1, Known: known})
		cancel()
		if cancelled := cancelledBy > 0; cancelled != errors.Is(err, context.Canceled) {
			t.Errorf("cancelled by call %d: %v", cancelledBy, err)
		} else if !cancelled && len(outcome.Examples) != 1 {
			t.Errorf("not cancelled: %v", outcome.Examples)
		}
	}
}

// TestSameSeed: the same seed gives the same examples.
func TestSameSeed(t *testing.T) {
	a, b := side(t, `{type: object, properties: {f: {type: integer, maximum: 5}, g: {type: string}}}`), side(t,
		`{type: object, properties: {f: {type: integer, maximum: 4}, h: {type: string}}}`)
	var runs [2]schemadiff.Outcome
	for i := range runs {
		var err error
		if runs[i], err = schemadiff.Run(t.Context(), a, b, schemadiff.RunOptions{Objects: 200, Seed: 3}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(runs[0], runs[1]); diff != "" || len(runs[0].Examples) == 0 || runs[0].AcceptedA == 0 || runs[0].AcceptedB == 0 {
		t.Errorf("%+v, difference:\n%s", runs[0], diff)
	}
}

// TestRulesAtOnePlace: each rule is shown by an object that violates only that rule.
func TestRulesAtOnePlace(t *testing.T) {
	const fields = `type: object, properties: {a: {type: boolean}, b: {type: boolean}, c: {type: integer}}`
	a := side(t, `{type: object, properties: {f: {`+fields+`}}}`)
	b := side(t, `{type: object, properties: {f: {`+fields+`, x-kubernetes-validations: [
	  {rule: "!has(self.a)", message: no a}, {rule: "!has(self.b)", message: no b}, {rule: "!has(self.c)", messageExpression: `+
		`"'no c but ' + string(self.c)"}]}}}`)
	changes := schemadiff.Walk(a, b)
	outcome, err := schemadiff.Run(t.Context(), a, b, schemadiff.RunOptions{Objects: 600, Seed: 1, Apart: schemadiff.Texts(changes)})
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, change := range schemadiff.Explain(changes, outcome.Examples) {
		for _, example := range change.Examples {
			shown[change.What] = served.Text(example.Object)
		}
	}
	for rule, want := range map[string]string{"rule !has(self.a)": `"a":`, "rule !has(self.b)": `"b":`} {
		if object := shown[rule]; !strings.Contains(object, want) || strings.Count(object, `":`) != 2 {
			t.Errorf("%s is shown by %s", rule, object)
		}
	}
}

// TestTransitionRuleOfTheWhole: the object itself is what an update changes.
func TestTransitionRuleOfTheWhole(t *testing.T) {
	const fields = `type: object, properties: {a: {type: string, maxLength: 5}, b: {type: integer}}`
	a, b := side(t, `{`+fields+`}`), side(t,
		`{`+fields+`, x-kubernetes-validations: [{rule: "!has(oldSelf.a) || has(self.a) && self.a == oldSelf.a", message: a is `+
			`immutable}]}`)
	shown, err := schemadiff.Witness(t.Context(), a, b, schemadiff.Walk(a, b), 1)
	if err != nil || len(shown) != 1 || len(shown[0].Examples) != 1 || shown[0].Examples[0].Old["a"] == nil {
		t.Errorf("got %+v, %v", shown, err)
	}
}

// TestStored: the example of a default shows the stored value at its path, and not the rest of the object.
func TestStored(t *testing.T) {
	const schema = `{type: object, properties: {l: {type: array, items: {type: object, properties: {k: {type: string, ` +
		`default: x}, v: {type: integer%s}}}}, o: {type: object, default: {}, properties: {p: {type: string, default: q}}}}}`
	a, b := side(t, fmt.Sprintf(schema, "")), side(t, fmt.Sprintf(schema, ", default: 5"))
	shown, err := schemadiff.Witness(t.Context(), a, b, schemadiff.Walk(a, b), 1)
	if err != nil || len(shown) != 1 || len(shown[0].Examples) != 1 {
		t.Fatalf("got %+v, %v", shown, err)
	}
	example := shown[0].Examples[0]
	got := []string{served.Text(example.Object), served.Text(example.StoredA), served.Text(example.StoredB)}
	if diff := cmp.Diff([]string{`{"l":[{}]}`, `{"l":[{}]}`, `{"l":[{"v":5}]}`}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
