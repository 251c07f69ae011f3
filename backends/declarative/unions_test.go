package declarative_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"pgregory.net/rapid"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// volume is the first litmus test of KEP-2335.
const volume = `{type: object, x-kubernetes-unions: [{discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}],
  properties: {type: {type: string}, emptyDir: {type: object}, hostPath: {type: object, properties: {path: {type: ` +
	`string}}}, sharedField: {type: string}}}`

func TestUnions(t *testing.T) {
	for _, tt := range []struct {
		name, why, schema, object string
		want                      []string // type, field and origin
	}{
		{"one of them", "as the union asks", volume, `{type: EmptyDir, emptyDir: {}, sharedField: x}`, nil},
		{"two of them", "they exclude each other", volume, `{type: EmptyDir, emptyDir: {}, hostPath: {path: /}}`,
			[]string{"FieldValueInvalid <nil> x-kubernetes-unions"}},
		{"none of them", "the oneOf of the proposal asks for one, and the first is named", volume, `{type: EmptyDir}`,
			[]string{"FieldValueInvalid <nil> x-kubernetes-unions", "FieldValueRequired emptyDir required"}},
		{"a different discriminator", "its values are those of the fields", volume, `{type: emptyDir, emptyDir: {}}`,
			[]string{"FieldValueNotSupported type enum"}},
		{"the discriminator of a different field", "the proposal does not say that they belong together", volume,
			`{type: HostPath, emptyDir: {}}`, nil},
		{"without a discriminator", "the fields exclude each other as well; a junctor has no field in the API server",
			`{type: object, properties: {u: {type: object, x-kubernetes-unions: [{fields: {a: "", b: ""}}], properties: {a: {type: ` +
				`string}, b: {type: string}}}}}`,
			`{u: {a: x, b: "y"}}`, []string{"FieldValueInvalid <nil> x-kubernetes-unions"}},
		{"beside a oneOf", "both hold",
			`{type: object, x-kubernetes-unions: [{fields: {a: A, b: B}}], oneOf: [{required: [c]}], properties: {a: {type: ` +
				`string}, b: {type: string}, c: {type: string}}}`,
			`{}`, []string{
				"FieldValueInvalid <nil> oneOf",
				"FieldValueRequired c required",
				"FieldValueInvalid <nil> x-kubernetes-unions",
				"FieldValueRequired a required",
			}},
		{"published already", "what the unfolded schema says is not said twice",
			served.Text(structural.Unfold(served.Schema(t, volume))), `{}`,
			[]string{"FieldValueInvalid <nil> oneOf", "FieldValueRequired emptyDir required"}},
		{"two published already", "the second is joined by allOf",
			served.Text(structural.Unfold(served.Schema(t,
				`{type: object, x-kubernetes-unions: [{fields: {a: A, b: B}}, {fields: {c: C, d: D}}],
			properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}}}`))), `{a: x}`,
			[]string{"FieldValueInvalid <nil> allOf", "FieldValueInvalid <nil> oneOf", "FieldValueRequired c required"}},
		{"nearly published", "a oneOf that asks for more is another",
			`{type: object, x-kubernetes-unions: [{fields: {a: A, b: B}}], oneOf: [{required: [a, c]}, {required: [b]}], ` +
				`properties: {a: {type: string}, b: {type: string}, c: {type: string}}}`,
			`{a: x, b: "y"}`, []string{"FieldValueInvalid <nil> x-kubernetes-unions"}},
		{"a discriminator that is not declared", "nothing is said of it",
			`{type: object, x-kubernetes-unions: [{discriminator: type, fields: {a: A}}, {fields: {b: B}}], properties: {a: {type: ` +
				`string}, b: {type: string}}}`,
			`{type: none, a: x, b: "y", "": z}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := compile(t, tt.schema, declarative.Options{Semantics: declarative.CustomResources, Proposals: true})
			if ignored := v.Ignored(); len(ignored) > 0 {
				t.Errorf("ignored: %v", ignored)
			}
			var got []string
			for _, e := range v.Validate(t.Context(), value.NewValueInterface(served.Object(t, tt.object)), nil) {
				got = append(got, fmt.Sprintf("%s %s %s", string(e.Type), e.Field, e.Origin))
			}
			if d := cmp.Diff(slices.Sorted(slices.Values(tt.want)), slices.Sorted(slices.Values(got))); d != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, d)
			}
		})
	}
}

// TestUnionsOfTheCaller: the values of a discriminator are in the order of their fields. They are added to a
// copy of the caller's schema.
func TestUnionsOfTheCaller(t *testing.T) {
	s := served.Schema(t, `{type: object, x-kubernetes-unions: [{discriminator: type, fields: {a: F, b: E, c: D, d: C, e: `+
		`B, f: A}}], properties: {type: {type: string}, a: {type: string}}}`)
	before := served.Text(s)
	v, err := declarative.Compile(s, declarative.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, served.Text(s)); d != "" {
		t.Errorf("the schema was changed:\n%s", d)
	}
	got := origins(v.Validate(t.Context(), value.NewValueInterface(object(t, `{type: x, a: b}`)), nil))
	if d := cmp.Diff([]string{`enum FieldValueNotSupported type supported values: "F", "E", "D", "C", "B", "A"`}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestUnionsAsUnfolded compares unions with the same schema without the extension, as structural.Unfold
// writes it.
func TestUnionsAsUnfolded(t *testing.T) {
	failed := 0
	rapid.Check(t, func(r *rapid.T) {
		schema := &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}, Properties: map[string]spec.Schema{}}}
		schema.Properties["in"] = unionSchema(r)
		plain := *structural.Unfold(schema)
		plain.Properties["in"] = without(plain.Properties["in"], "x-kubernetes-unions")
		object := map[string]any{"in": rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c", "kind", "other"}),
			rapid.SampledFrom([]any{"A", "B", "C", "", int64(1), nil, map[string]any{}})).Draw(r, "object")}
		for _, semantics := range []declarative.Semantics{declarative.NativeTypes, declarative.CustomResources} {
			opts := declarative.Options{Semantics: semantics, Proposals: true}
			var said [2][]string
			for i, s := range []*spec.Schema{schema, &plain} {
				v, err := declarative.Compile(s, opts)
				if err != nil {
					r.Fatal(err)
				}
				said[i] = withoutSummaries(v.Validate(t.Context(), value.NewValueInterface(object), nil))
			}
			if d := cmp.Diff(said[1], said[0]); d != "" {
				r.Fatalf("unfolded against ours:\n%s\n%s\n%s", d, served.Text(schema), served.Text(object))
			}
			failed += min(1, len(said[0]))
		}
	})
	if failed < 20 {
		t.Errorf("only %d objects were invalid", failed)
	}
}

func unionSchema(r *rapid.T) spec.Schema {
	text := spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"string"}, Nullable: rapid.Bool().Draw(r, "nullable")}}
	s := spec.Schema{
		SchemaProps: spec.SchemaProps{
			Type:       spec.StringOrArray{"object"},
			Properties: map[string]spec.Schema{"a": text, "b": text, "c": text, "kind": text},
		},
	}
	var unions []any
	for range rapid.IntRange(1, 2).Draw(r, "unions") {
		fields := map[string]any{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3, rapid.ID).Draw(r, "fields") {
			fields[name] = strings.ToUpper(name)
		}
		u := map[string]any{"fields": fields}
		if rapid.Bool().Draw(r, "discriminated") {
			u["discriminator"] = "kind"
		}
		unions = append(unions, u)
	}
	s.AddExtension("x-kubernetes-unions", unions)
	if rapid.Bool().Draw(r, "oneOf") {
		s.OneOf = []spec.Schema{
			{SchemaProps: spec.SchemaProps{Required: []string{"c"}}},
			{SchemaProps: spec.SchemaProps{Required: []string{"kind"}}},
		}
	}
	return s
}

func without(s spec.Schema, extension string) spec.Schema {
	s.Extensions = spec.Extensions{}
	return s
}

// withoutSummaries removes the errors of allOf, which joins a union with the keywords beside it when it is
// unfolded.
func withoutSummaries(errs field.ErrorList) []string {
	var all []string
	for _, e := range errs {
		if !strings.Contains(e.Detail, "(allOf)") {
			all = append(all, e.Error())
		}
	}
	slices.Sort(all)
	return slices.Compact(all) // two junctors may report the same about a value
}

// TestProposals: the API server drops unknown parts of a definition, so they do not affect custom resources,
// valid or not.
func TestProposals(t *testing.T) {
	for _, tt := range []struct{ name, schema, object, ignored string }{
		{"a union", `{type: object, properties: {u: ` + volume + `}}`, `{u: {type: EmptyDir, emptyDir: {}, hostPath: {path: /}}}`,
			"properties[u].x-kubernetes-unions"},
		{"the enum of a discriminator", volume, `{type: none, emptyDir: {}}`, "x-kubernetes-unions"},
		{"a union that cannot be read", `{type: object, x-kubernetes-unions: [{discriminater: x}]}`, `{}`, "x-kubernetes-unions"},
		{"a zero", `{type: object, properties: {s: {type: string, x-kubernetes-strip-zero: true}}, x-kubernetes-validations: ` +
			`[{rule: has(self.s)}]}`, `{s: ""}`, "properties[s].x-kubernetes-strip-zero"},
		{"a message", `{type: object, x-kubernetes-validation-errors: {required: {mesage: m}}}`, `{}`, "x-kubernetes-validation-errors"},
		{"a message in KEP-4153's second spelling", `{type: object, x-kubernetes-errors: {required: {mesage: m}}}`, `{}`,
			"x-kubernetes-errors"},
		{"a format of KEP-4153", `{type: object, properties: {s: {type: string, format: dns1123label}}}`, `{s: "A_"}`,
			"properties[s].format: \"dns1123label\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			schema, sent := served.Schema(t, tt.schema), served.Object(t, tt.object)
			v := compile(t, tt.schema, declarative.Options{Semantics: declarative.CustomResources})
			if d := cmp.Diff([]string{tt.ignored}, v.Ignored()); d != "" {
				t.Errorf("ignored (-want +got):\n%s", d)
			}
			if errs := v.Validate(t.Context(), value.NewValueInterface(sent), nil); len(errs) > 0 {
				t.Errorf("custom resources: %v", errs)
			}
			native, err := declarative.Compile(schema, declarative.Options{})
			if err == nil && len(native.Validate(t.Context(), value.NewValueInterface(sent), nil)) == 0 {
				t.Error("native types: the extension has no effect")
			}
		})
	}
}
