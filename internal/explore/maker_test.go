package explore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// shelfSchema has each keyword that objects are made for.
const shelfSchema = `
type: object
properties:
  spec:
    type: object
    required: [mode]
    maxProperties: 9
    properties:
      mode: {type: string, enum: [Open, Closed]}
      size: {type: integer, minimum: 1, maximum: 100, multipleOf: 2}
      name: {type: string, minLength: 2, maxLength: 8}
      color: {type: string, pattern: '^[a-f0-9]{6}$'}
      from: {type: string, format: ipv4}
      note: {type: string, nullable: true}
      tags: {type: array, minItems: 1, maxItems: 3, x-kubernetes-list-type: set, items: {type: string}}
      boxes: {type: array, items: {type: object, required: [id], properties: {id: {type: integer, maximum: 9}}}}
      labels: {type: object, minProperties: 1, maxProperties: 2, additionalProperties: {type: string, maxLength: 4}}
`

const shelf = `{apiVersion: example.com/v1, kind: Shelf, metadata: {name: a}, spec: {mode: Open, size: 2, name: name, color: abcdef,
  from: 10.0.0.1, note: x, tags: [a], boxes: [{id: 1}], labels: {k: v}}}`

// refusing returns what upstream's validator refuses in objects of a schema.
func refusing(t *testing.T, schema string) func(map[string]any) field.ErrorList {
	t.Helper()
	validator, err := reference.CompileProps(served.Props(t, schema), reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(object map[string]any) field.ErrorList { return validator.Validate(t.Context(), object, nil) }
}

// TestForKeyword: the objects for a keyword differ from the accepted one in one value, and all that is wrong with them is
// there. Some of them break the keyword.
func TestForKeyword(t *testing.T) {
	refuses, schema, accepted := refusing(t, shelfSchema), served.Props(t, shelfSchema), served.Object(t, shelf)
	if errs := refuses(accepted); len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, row := range []struct{ keyword, path, breaks string }{
		{"enum", "spec.mode", "Unsupported value"},
		{"required", "spec.mode", "Required value"},
		{"maximum", "spec.size", "less than or equal to 100"},
		{"minimum", "spec.size", "greater than or equal to 1"},
		{"multipleOf", "spec.size", "multiple of 2"},
		{"maxLength", "spec.name", "may not be more than 8"},
		{"minLength", "spec.name", "at least 2 chars"},
		{"pattern", "spec.color", "should match"},
		{"format", "spec.from", "must be of type ipv4"},
		{"nullable", "spec.name", "must be of type string"},
		{"maxItems", "spec.tags", "must have at most 3 items"},
		{"minItems", "spec.tags", "should have at least 1 items"},
		{"x-kubernetes-list-type", "spec.tags", "Duplicate value"},
		{"maximum", "spec.boxes.[*].id", "less than or equal to 9"},
		{"required", "spec.boxes.[*].id", "Required value"},
		{"maxProperties", "spec.labels", "must have at most 2"},
		{"minProperties", "spec.labels", "should have at least 1 properties"},
		{"maxLength", "spec.labels.*", "may not be more than 4"},
		{"maxProperties", "spec", "must have at most 9"},
	} {
		names := strings.Split(row.path, ".")
		maker := explore.Maker{Source: generate.Seeded(1), Schema: schema}
		at := object.Parse(strings.NewReplacer(".[*]", "[0]", ".*", "[key]").Replace(row.path))
		made, broken := 0, false
		for one := range maker.ForKeyword(accepted, names, row.keyword, schema) {
			made++
			if got := at.Put(one, "other"); !reflect.DeepEqual(got, at.Put(accepted, "other")) {
				t.Errorf("%s of %s: something else was changed: %s", row.keyword, row.path, served.Text(one))
			}
			for _, err := range refuses(one) {
				broken = broken || strings.Contains(err.Error(), row.breaks)
				place := object.Parse(err.Field)
				if !place.AtOrBelow(at) && !at.AtOrBelow(place) {
					t.Errorf("%s of %s: another place is wrong: %s", row.keyword, row.path, err)
				}
			}
		}
		if made == 0 || !broken {
			t.Errorf("%s of %s: none of %d objects has an error with %q", row.keyword, row.path, made, row.breaks)
		}
	}
	if !reflect.DeepEqual(accepted, served.Object(t, shelf)) {
		t.Error("the object that came in was changed")
	}
}

// TestBetweenPatterns: objects are made that one of two patterns matches, although almost no text is such.
func TestBetweenPatterns(t *testing.T) {
	of := func(pattern string) string {
		return fmt.Sprintf("{type: object, properties: {a: {type: string, pattern: %q}}}", pattern)
	}
	for _, row := range []struct{ why, accepts, rejects string }{
		{"not anchored at the end", "^5m", "^5m$"},
		{"a line break at the end", "^[a-z]+\n?$", "^[a-z]+$"},
		{"a dot that is not escaped", "^a.b$", `^a\.b$`},
		{"one character longer", "^[a-z]{1,4}$", "^[a-z]{1,3}$"},
	} {
		accepts, rejects := refusing(t, of(row.accepts)), refusing(t, of(row.rejects))
		maker, found := explore.Maker{Source: generate.Seeded(1), Schema: served.Props(t, of(row.accepts))}, false
		for one := range maker.ForKeyword(map[string]any{}, []string{"a"}, "pattern", served.Props(t, of(row.rejects))) {
			found = found || len(accepts(one)) == 0 && len(rejects(one)) > 0
		}
		if !found {
			t.Errorf("%s: no object tells %s from %s", row.why, row.accepts, row.rejects)
		}
	}
}

// TestForRule: only fields that a rule reads are changed, and some object breaks it.
func TestForRule(t *testing.T) {
	for _, row := range []struct{ why, rule, object string }{
		{"a field is compared with a literal", "self.size < 50", `{spec: {mode: x, size: 2}}`},
		{"two fields are compared", "self.size <= self.limit", `{spec: {mode: x, size: 2, limit: 3}}`},
		{"two fields with a difference between them", "self.limit - self.size != 7", `{spec: {mode: x, size: 2, limit: 3}}`},
		{"a field is needed in one mode", "self.mode != 'Sized' || has(self.size)", `{spec: {mode: x}}`},
		{"a field must not be there in one mode", "self.mode != 'Sized' || !has(self.size)", `{spec: {mode: x}}`},
		{"a prefix", "!self.mode.startsWith('kube-')", `{spec: {mode: x}}`},
		{"a length", "self.mode.size() <= 20", `{spec: {mode: x}}`},
		{"a size of a list", "!has(self.tags) || self.tags.size() <= 3", `{spec: {mode: x}}`},
		{"an item of a list", "!has(self.tags) || !('a' in self.tags)", `{spec: {mode: x}}`},
		{"a key of a map", "!has(self.labels) || self.labels.all(k, k != 'a')", `{spec: {mode: x}}`},
		{"one of two fields", "has(self.size) != has(self.limit)", `{spec: {mode: x, size: 2}}`},
	} {
		const declared = `{type: object, properties: {spec: {type: object, required: [mode], properties: {mode: {type: string},
  size: {type: integer}, limit: {type: integer}, other: {type: string}, tags: {type: array, items: {type: string}},
  labels: {type: object, additionalProperties: {type: string}}}%s}}}`
		text, err := json.Marshal([]map[string]string{{"rule": row.rule, "message": "broken"}})
		if err != nil {
			t.Fatal(err)
		}
		refuses := refusing(t, fmt.Sprintf(declared, ", x-kubernetes-validations: "+string(text)))
		accepted := served.Object(t, row.object)
		if errs := refuses(accepted); len(errs) > 0 {
			t.Errorf("%s: %v", row.why, errs)
		}
		rule, _ := explore.ParseRule(row.rule, nil)
		maker, broken := explore.Maker{Source: generate.Seeded(1), Schema: served.Props(t, fmt.Sprintf(declared, ""))}, false
		for one := range maker.ForRule(accepted, []string{"spec"}, rule) {
			rest, whole := one, accepted
			for _, path := range rule.Paths {
				at := object.Of(append([]string{"spec"}, path...)...)
				rest, whole = at.Delete(rest), at.Delete(whole)
			}
			if !reflect.DeepEqual(rest, whole) {
				t.Errorf("%s: a field that the rule does not read was changed: %s", row.why, served.Text(one))
			}
			errs := refuses(one)
			broken = broken || len(errs) == 1 && errs[0].Detail == "broken"
		}
		if !broken {
			t.Errorf("%s: no object breaks %s alone", row.why, row.rule)
		}
	}
}

// TestMakerWith: a value is set with the parts around it that the schema requires.
func TestMakerWith(t *testing.T) {
	const schema = `{type: object, properties: {spec: {type: object, required: [mode], properties: {mode: {type: string, enum: [A]},
  list: {type: array, items: {type: object, required: [id], properties: {id: {type: integer, minimum: 3, maximum: 3}, name: {type: ` +
		`string}}}},
  kind: {type: string, enum: [One, Two]}, one: {type: object, properties: {a: {type: string}}}, two: {type: object}}}}}`
	refuses := refusing(t, schema)
	for _, row := range []struct {
		why, object string
		path        []string
		value       any
		want        string
	}{
		{"what is around it", `{}`, []string{"spec", "list", "[*]", "name"}, "x", `{"spec":{"list":[{"id":3,"name":"x"}],"mode":"A"}}`},
		{"the first item", `{spec: {mode: A, list: [{name: a}, {id: 3}]}}`, []string{"spec", "list", "[*]", "id"}, int64(3),
			`{"spec":{"list":[{"id":3,"name":"a"},{"id":3}],"mode":"A"}}`},
		{"the other member of a union", `{spec: {mode: A, kind: Two, two: {}}}`, []string{"spec", "one"}, map[string]any{},
			`{"spec":{"kind":"One","mode":"A","one":{}}}`},
		{"taken out", `{spec: {mode: A, kind: Two}}`, []string{"spec", "kind"}, object.Absence{}, `{"spec":{"mode":"A"}}`},
	} {
		maker := explore.Maker{Source: generate.Seeded(1), Schema: served.Props(t, schema)}
		made := maker.With(served.Object(t, row.object), row.path, row.value)
		if got := asJSON(t, made); got != row.want {
			t.Errorf("%s: %s, want %s", row.why, got, row.want)
		}
		if errs := refuses(made); len(errs) > 0 {
			t.Errorf("%s: %v", row.why, errs)
		}
		if value, has := maker.ValueAt(made, row.path); row.value == (object.Absence{}) == has {
			t.Errorf("%s: the value there is %v", row.why, value)
		}
	}
}

// TestSchemaPlaces: which places a schema has.
func TestSchemaPlaces(t *testing.T) {
	schema := served.Props(t, shelfSchema)
	for _, row := range []struct {
		why, field string
		has        bool
	}{
		{"a field", "spec.mode", true},
		{"an item", "spec.boxes[*]", true},
		{"a field of an item", "spec.boxes[*].id", true},
		{"an entry of a map", "spec.labels[*]", true},
		{"metadata, which no definition declares", "metadata.labels", false},
		{"another field", "spec.shape", false},
		{"a field of a text", "spec.mode.a", false},
		{"a field of a list", "spec.boxes.id", false},
		{"the root", "", false},
	} {
		if got := explore.HasField(schema, row.field); got != row.has {
			t.Errorf("%s: %q: %t", row.why, row.field, got)
		}
	}
	if got := explore.SchemaAt(schema, []string{"spec", "boxes", "[*]", "id"}); got == nil || got.Maximum == nil || *got.Maximum != 9 {
		t.Errorf("the schema of a field of an item: %+v", got)
	}
}

// differing returns the innermost place that has all differences between two values.
func differing(a, b any) object.Path {
	x, areMaps := a.(map[string]any)
	y, isMap := b.(map[string]any)
	if !areMaps || !isMap {
		return nil
	}
	names := map[string]bool{}
	for _, of := range []map[string]any{x, y} {
		for name := range of {
			if !reflect.DeepEqual(x[name], y[name]) {
				names[name] = true
			}
		}
	}
	for name := range names {
		if len(names) == 1 {
			return append(object.Of(name), differing(x[name], y[name])...)
		}
	}
	return nil
}

// TestSingleChanges: what upstream's validator refuses in an input is where the input differs from the accepted object that
// it was made of, or around it.
func TestSingleChanges(t *testing.T) {
	refuses, start := refusing(t, shelfSchema), served.Object(t, shelf)
	single, broken := map[string]bool{}, map[string]bool{}
	e := explore.New(explore.Options{
		Seed: 1, Schema: served.Props(t, shelfSchema), Starts: []explore.Input{{Object: start}},
		Ask: func(_ context.Context, in explore.Input) (explore.Answer, error) {
			accepted := len(refuses(in.Object)) == 0
			return explore.Answer{Accepted: [2]bool{accepted, accepted}}, nil
		},
		Observe: func(in explore.Input, _ explore.Answer) error {
			at := differing(start, in.Object)
			if in.IsUpdate() || len(at) < 2 {
				return nil
			}
			single[at.String()] = true
			for _, err := range refuses(in.Object) {
				broken[at.String()] = true
				if place := object.Parse(err.Field); !place.AtOrBelow(at) && !at.AtOrBelow(place) {
					t.Errorf("%s was changed, but another place is wrong: %s", at, err)
				}
			}
			return nil
		},
		Found: func(explore.Found) error { return nil },
	})
	for range 40 {
		if err := e.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"mode", "size", "name", "color", "from", "note", "tags", "boxes", "labels"} {
		if at := object.Of("spec", name).String(); !single[at] || !broken[at] {
			t.Errorf("%s: changed alone: %t, and so that it is refused: %t", at, single[at], broken[at])
		}
	}
}
