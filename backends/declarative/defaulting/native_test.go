package defaulting_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/internal/testing/served"
)

func sorted(m map[string]apiextensionsv1.JSONSchemaProps) []string {
	return slices.Sorted(maps.Keys(m))
}

func TestNativeSchemas(t *testing.T) {
	for _, tt := range []struct{ name, why, schema, definition, object, want string }{{
		name: "cycle", why: "defaults are found at every depth of a recursive type",
		schema: `{$ref: "#/definitions/Node"}`,
		definition: `{type: object, properties: {name: {type: string, default: x}, next: {$ref: "#/definitions/Node"},
		  all: {type: array, items: {$ref: "#/definitions/Node"}}}}`,
		object: `{next: {next: {}}, all: [{name: a}]}`,
		want:   `{name: x, next: {name: x, next: {name: x}}, all: [{name: a}]}`,
	}, {
		name: "zero behind a reference", why: "the schema that strips zeros declares it",
		schema:     `{type: object, properties: {n: {default: 3, allOf: [{$ref: "#/components/schemas/Node"}]}}}`,
		definition: `{type: integer, x-kubernetes-strip-zero: true}`,
		object:     `{n: 0}`, want: `{n: 3}`,
	}, {
		name: "reference with a default beside it", why: "OpenAPI v3 writes it as an allOf of one",
		schema:     `{type: object, properties: {n: {default: {}, allOf: [{$ref: "#/components/schemas/Node"}]}}}`,
		definition: `{type: object, properties: {count: {type: integer, default: 3}}}`,
		object:     `{}`, want: `{n: {count: 3}}`,
	}, {
		name: "zero before default", why: "a zero that the schema strips counts as missing",
		schema: `{type: object, properties: {i: {type: integer, default: 5, x-kubernetes-strip-zero: true}, s: {type: string, ` +
			`x-kubernetes-strip-zero: true},
		  l: {type: array, items: {type: string}, x-kubernetes-strip-zero: true, default: [a]}, k: {type: integer, default: 5}}}`,
		definition: `{}`,
		object:     `{i: 0, s: "", l: null, k: 0}`, want: `{i: 5, l: [a], k: 0}`,
	}, {
		name: "empty before default", why: "lists and maps without anything in them are zeros, others are not",
		schema: `{type: object, properties: {l: {type: array, items: {type: string}, x-kubernetes-strip-zero: true, default: [a]},
		  m: {type: object, additionalProperties: {type: string}, x-kubernetes-strip-zero: true, default: {a: b}},
		  f: {type: number, x-kubernetes-strip-zero: true, default: 1.5}, b: {type: boolean, x-kubernetes-strip-zero: true, ` +
			`default: true}}}`,
		definition: `{}`,
		object:     `{l: [], m: {}, f: 0.0, b: false}`, want: `{l: [a], m: {a: b}, f: 1.5, b: true}`,
	}, {
		name: "rules of subresources", why: "a schema whose rules hold for some requests only has defaults as any other",
		schema: `{type: object, x-kubernetes-validations: [{rule: "true", onlySubresources: [resize]}, {rule: "true", ` +
			`exceptSubresources: [status]}],
		  properties: {i: {type: integer, default: 5}}}`,
		definition: `{}`, object: `{}`, want: `{i: 5}`,
	}, {
		name: "no zero", why: "a nonempty object stays, even if it contains only a zero",
		schema: `{type: object, properties: {l: {type: array, items: {type: string}, x-kubernetes-strip-zero: true, default: [a]},
		  m: {type: object, additionalProperties: {type: string}, x-kubernetes-strip-zero: true, default: {a: b}}}}`,
		definition: `{}`,
		object:     `{l: [""], m: {a: ""}}`, want: `{l: [""], m: {a: ""}}`,
	}, {
		name: "zero inside", why: "zeros are stripped below a field that has no default itself",
		schema: `{type: object, properties: {l: {type: array, items: {type: object, properties: {b: {type: boolean, ` +
			`x-kubernetes-strip-zero: true}}}}}}`,
		definition: `{}`, object: `{l: [{b: false}, {b: true}]}`, want: `{l: [{}, {b: true}]}`,
	}} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := defaulting.Compile(served.Schema(t, tt.schema),
				defaulting.Options{Definitions: map[string]*spec.Schema{"Node": served.Schema(t, tt.definition)}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(served.Object(t, tt.want), d.Default(served.Object(t, tt.object))); diff != "" {
				t.Errorf("%s: want against got:\n%s", tt.why, diff)
			}
		})
	}
}

func TestSchemasThatAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, why, schema, definition, want string }{{
		name: "default without end", why: "the default of next would be inserted into itself",
		schema:     `{$ref: "#/definitions/Node"}`,
		definition: `{type: object, properties: {next: {default: {}, allOf: [{$ref: "#/definitions/Node"}]}}}`,
		want: "definitions[Node].properties[next].default: Invalid value: contains itself: the schema inside the default " +
			"leads back to this default",
	}, {
		name: "reference to nothing", why: "nothing is skipped",
		schema: `{$ref: "#/definitions/Other"}`, definition: `{}`, want: `$ref: Not found: "#/definitions/Other"`,
	}, {
		name: "extension of the wrong kind", why: "an extension of the wrong type is reported with its place",
		schema:     `{type: object, properties: {a: {type: integer, x-kubernetes-strip-zero: "yes"}}}`,
		definition: `{}`, want: "properties[a].x-kubernetes-strip-zero: Invalid value",
	}} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := defaulting.Compile(served.Schema(t, tt.schema),
				defaulting.Options{Definitions: map[string]*spec.Schema{"Node": served.Schema(t, tt.definition)}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: want an error that says %q, got %v", tt.why, tt.want, err)
			}
		})
	}
}

func TestDefaultsThatGrow(t *testing.T) {
	levels := map[string]*spec.Schema{"L0": served.Schema(t, `{type: object}`)}
	for i := range 40 { // 2^40 defaults
		level := fmt.Sprintf(`{default: {}, allOf: [{$ref: "#/definitions/L%d"}]}`, i)
		levels[fmt.Sprintf("L%d", i+1)] = served.Schema(t, fmt.Sprintf(`{type: object, properties: {a: %s, b: %s}}`, level, level))
	}
	_, err := defaulting.Compile(served.Schema(t, `{$ref: "#/definitions/L40"}`), defaulting.Options{Definitions: levels})
	if err == nil || !strings.Contains(err.Error(), "contains more than 65536 other defaults") {
		t.Errorf("want a refusal, got %v", err)
	}
}

func TestDefaultsAreCopies(t *testing.T) {
	d := compile(t, served.Props(t, `{type: object, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: `+
		`true, default: {b: [1]}}}}`), defaulting.Options{})
	first := d.Default(map[string]any{})
	first["a"].(map[string]any)["b"] = "changed by its owner"
	if diff := cmp.Diff(served.Object(t, `{a: {b: [1]}}`), d.Default(map[string]any{})); diff != "" {
		t.Errorf("the schema's default was changed through an object:\n%s", diff)
	}
}

func TestPruneDefaults(t *testing.T) {
	for _, tt := range []struct{ name, why, schema string }{{
		name: "unknown fields", why: "a default has only declared fields",
		schema: `{type: object, properties: {a: {type: object, default: {b: 1, c: {d: 2}, e: 3}, properties: {b: {type: ` +
			`integer}, c: {type: object}}}}}`,
	}, {
		name: "preserved", why: "around an item of a preserved list nothing is unknown",
		schema: `{type: object, properties: {a: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, ` +
			`default: {b: 1}}}}}`,
	}, {
		name: "embedded metadata", why: "unknown or malformed metadata is removed, wherever the default is",
		schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, ` +
			`x-kubernetes-preserve-unknown-fields: true,
		  default: {apiVersion: v1, kind: A, metadata: {name: a, x: 1}},
		  properties: {metadata: {type: object, default: {name: b, "y": 2, finalizers: 3}, properties: {
		    labels: {type: object, default: {a: b, c: 5}, additionalProperties: {type: string}}, color: {type: string, default: red}}}}}}}`,
	}, {
		name: "additionalProperties", why: "a single key is enough",
		schema: `{type: object, properties: {m: {type: object, additionalProperties: {type: object, default: {a: 1}}}}}`,
	}} {
		t.Run(tt.name, func(t *testing.T) {
			ours := served.Converted(t, served.Props(t, tt.schema))
			pruned, err := defaulting.PruneDefaults(ours)
			if err != nil {
				t.Fatal(err)
			}
			theirs := served.Structural(t, served.Props(t, tt.schema))
			if err := upstream.PruneDefaults(theirs); err != nil {
				t.Fatal(err)
			}
			want := theirs.ToKubeOpenAPI()
			if diff := cmp.Diff(defaultsOf(want, ""), defaultsOf(pruned, "")); diff != "" {
				t.Errorf("%s: API server against ours:\n%s", tt.why, diff)
			}
			if cmp.Equal(defaultsOf(ours, ""), defaultsOf(pruned, "")) && tt.name != "preserved" {
				t.Errorf("%s: nothing was pruned", tt.why)
			}
		})
	}
}

// defaultsOf returns the defaults of a schema by their places.
func defaultsOf(s *spec.Schema, at string) map[string]any {
	all := map[string]any{}
	if s.Default != nil {
		all[at] = s.Default
	}
	for name, p := range s.Properties {
		maps.Copy(all, defaultsOf(&p, at+"."+name))
	}
	if s.Items != nil && s.Items.Schema != nil {
		maps.Copy(all, defaultsOf(s.Items.Schema, at+"[]"))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		maps.Copy(all, defaultsOf(s.AdditionalProperties.Schema, at+".*"))
	}
	return all
}
