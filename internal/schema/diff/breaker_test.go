package diff_test

import (
	"encoding/json"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/schema/diff"
)

// TestBreak: each keyword of a schema is violated separately, and the schema itself reports it.
func TestBreak(t *testing.T) {
	schema := &spec.Schema{}
	if err := yaml.Unmarshal([]byte(`
type: object
properties:
  spec:
    type: object
    required: [name]
    properties:
      name: {type: string, maxLength: 5, pattern: "^[a-z]+$"}
      twin: {type: integer, maximum: 3}
      size: {type: integer, minimum: 1, maximum: 9}
      kind: {type: string, enum: [a, b]}
      ports: {type: array, maxItems: 2, items: {type: object, properties: {port: {type: integer, maximum: 65535}}}}
      labels: {type: object, additionalProperties: {type: string, maxLength: 3}}
    x-kubernetes-validations:
    - {rule: "!has(self.size) || self.size != 7", message: "not seven"}
    - {rule: "self.name == oldSelf.name"}
    - {rule: "true"}
    - {rule: "!has(self.twin) || self.twin < 4"}
required: [spec]
`), schema); err != nil {
		t.Fatal(err)
	}
	side, err := diff.Compile(schema, nil, diff.OfDefinition)
	if err != nil {
		t.Fatal(err)
	}
	b, err := diff.NewBreaker(t.Context(), side, []map[string]any{{"spec": map[string]any{}}, {"spec": map[string]any{"name": "a"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	const rules = "x-kubernetes-validations"
	for _, tt := range []struct {
		keyword, path, rule, want string
	}{
		{"required", "spec", "", `{}`},
		{"required", "spec.name", "", `{"spec":{}}`},
		{"maxLength", "spec.name", "", `{"spec":{"name":"aaaaaa"}}`},
		{"minimum", "spec.size", "", `{"spec":{"name":"a","size":0}}`},
		{"maximum", "spec.size", "", `{"spec":{"name":"a","size":10}}`},
		{"enum", "spec.kind", "", ""},
		{"pattern", "spec.name", "", ""},
		{"maxItems", "spec.ports", "", ""},
		{"maximum", "spec.ports[*].port", "", `{"spec":{"name":"a","ports":[{"port":65536}]}}`},
		{"maxLength", "spec.labels[*]", "", ""},
		{"type", "spec.size", "", ""},
		{rules, "spec", "!has(self.size) || self.size != 7", `{"spec":{"name":"a","size":7}}`},
	} {
		broken, found := b.Break(tt.keyword, tt.path, tt.rule)
		if !found || !broken.Alone || broken.Old != nil {
			t.Errorf("%s %s: no object alone: %+v", tt.path, tt.keyword, broken)
			continue
		}
		text, err := json.Marshal(broken.Object)
		if err != nil {
			t.Fatal(err)
		}
		rejections := side.Validate(t.Context(), broken.Object)
		if len(rejections) != 1 || rejections[0].Origin != tt.keyword {
			t.Errorf("%s %s: %s is rejected by %+v", tt.path, tt.keyword, text, rejections)
		}
		if tt.want != "" && string(text) != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.path, tt.keyword, text, tt.want)
		}
	}
	if broken, found := b.Break("maximum", "spec.twin", ""); !found || broken.Alone {
		t.Errorf("a number that a rule rejects as well: %+v", broken)
	}
	for _, rule := range []string{"true", "no such rule"} {
		if broken, found := b.Break(rules, "spec", rule); found {
			t.Errorf("rule %s: %+v cannot break it", rule, broken)
		}
	}
	// A rule about the old object is violated by an update that is otherwise valid.
	broken, found := b.Break(rules, "spec", "self.name == oldSelf.name")
	if !found || broken.Old == nil || !broken.Alone {
		t.Fatalf("no update breaks a rule about the old object: %+v", broken)
	}
	if rejections := side.Update(t.Context(), broken.Object, broken.Old); len(rejections) != 1 || rejections[0].Origin != rules {
		t.Errorf("%v after %v is rejected by %+v", broken.Object, broken.Old, rejections)
	}
	if rejections := side.Validate(t.Context(), broken.Old); len(rejections) > 0 {
		t.Errorf("the old object is wrong: %+v", rejections)
	}
}

// TestBreakWithin: if a keyword in a branch is violated, the object stays valid if another branch accepts it.
func TestBreakWithin(t *testing.T) {
	schema := &spec.Schema{}
	if err := yaml.Unmarshal([]byte(`
type: object
properties:
  u:
    type: object
    properties: {v: {type: integer}, w: {type: integer}, s: {type: string}}
    anyOf:
    - {properties: {v: {maximum: 5}}}
    - {required: [w], properties: {w: {minimum: 1}}}
    allOf:
    - {properties: {s: {maxLength: 3}}}
    - {x-kubernetes-validations: [{rule: "!has(self.v) || self.v != 7", message: not seven}]}
    not: {properties: {s: {enum: [abc]}}, required: [s]}
  l:
    type: array
    items: {type: object, properties: {number: {type: integer}}, oneOf: [{properties: {number: {maximum: 3}}}, `+
		`{properties: {number: {minimum: 9}}}]}
`), schema); err != nil {
		t.Fatal(err)
	}
	side, err := diff.Compile(schema, nil, diff.AnySchema)
	if err != nil {
		t.Fatal(err)
	}
	b, err := diff.NewBreaker(t.Context(), side, []map[string]any{{}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		within, keyword, path, declared, rule string
		alone                                 bool
	}{
		{"u anyOf[0]", "maximum", "u.v", "properties[u].anyOf[0].properties[v].maximum", "", true},
		{"u allOf[0]", "maxLength", "u.s", "properties[u].allOf[0].properties[s].maxLength", "", false},
		{"u allOf[1]", "x-kubernetes-validations", "u", "properties[u].allOf[1].x-kubernetes-validations[0]",
			"!has(self.v) || self.v != 7", false},
		{"u not", "enum", "u.s", "properties[u].not.properties[s].enum", "", true},
		{"l[*] oneOf[0]", "maximum", "l[*].number", "properties[l].items.oneOf[0].properties[number].maximum", "", true},
	} {
		broken, found := b.BreakWithin(diff.Branch{Within: tt.within, Declared: []string{tt.declared}}, tt.keyword, tt.path, tt.rule)
		if !found || broken.Alone != tt.alone {
			t.Errorf("%s: found %t, %+v", tt.declared, found, broken)
			continue
		}
		if rejections := side.Validate(t.Context(), broken.Object); tt.alone && len(rejections) > 0 {
			t.Errorf("%s: %v is rejected by %+v", tt.declared, broken.Object, rejections)
		}
	}
	if broken, found := b.BreakWithin(diff.Branch{Within: "u anyOf[7]", Declared: []string{"properties[u].anyOf[7].maximum"}},
		"maximum", "u", ""); found {
		t.Errorf("a branch that is not there: %+v", broken)
	}
}
