package structural_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// The litmus tests of KEP-2335: a type, the rest of it without value validations, and its published form.
var litmus = []struct{ name, why, schema, stripped, unfolded string }{{
	name: "discriminated union", why: "the union is structure, its exclusion is published as oneOf",
	schema: `{type: object, x-kubernetes-unions: [{discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}],
	  properties: {type: {type: string, enum: [EmptyDir, HostPath]}, emptyDir: {type: object}, hostPath: {type: object, ` +
		`properties: {path: {type: string, pattern: "/.*"}}, required: [path]}, sharedField: {type: string}}, required: [sharedField]}`,
	stripped: `{type: object, x-kubernetes-unions: [{discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}],
	  properties: {type: {type: string}, emptyDir: {type: object}, hostPath: {type: object, properties: {path: {type: ` +
		`string}}}, sharedField: {type: string}}}`,
	unfolded: `{type: object, x-kubernetes-unions: [{discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}], ` +
		`oneOf: [{required: [emptyDir]}, {required: [hostPath]}],
	  properties: {type: {type: string, enum: [EmptyDir, HostPath]}, emptyDir: {type: object}, hostPath: {type: object, ` +
		`properties: {path: {type: string, pattern: "/.*"}}, required: [path]}, sharedField: {type: string}}, required: [sharedField]}`,
}, {
	name: "union beside a oneOf", why: "the two are joined by allOf, and the discriminator gets its values",
	schema: `{type: object, x-kubernetes-unions: [{discriminator: t, fields: {b: B, a: A}}], properties: {t: {type: ` +
		`string}, a: {type: object}, b: {type: object}}, oneOf: [{required: [t]}]}`,
	stripped: `{type: object, x-kubernetes-unions: [{discriminator: t, fields: {b: B, a: A}}], properties: {t: {type: ` +
		`string}, a: {type: object}, b: {type: object}}}`,
	unfolded: `{type: object, x-kubernetes-unions: [{discriminator: t, fields: {b: B, a: A}}], properties: {t: {type: ` +
		`string, enum: [A, B]}, a: {type: object}, b: {type: object}}, oneOf: [{required: [t]}],
	  allOf: [{oneOf: [{required: [a]}, {required: [b]}]}]}`,
}, {
	name: "polymorphic format", why: "a junctor of patterns has no effect on the structure",
	schema:   `{type: object, properties: {ip: {type: string, anyOf: [{pattern: "^[0-9.]+$"}, {pattern: "^[0-9a-f:]+$"}]}}}`,
	stripped: `{type: object, properties: {ip: {type: string}}}`,
	unfolded: `{type: object, properties: {ip: {type: string, anyOf: [{pattern: "^[0-9.]+$"}, {pattern: "^[0-9a-f:]+$"}]}}}`,
}, {
	name: "RawExtension", why: "type and metadata of a resource are implied",
	schema: `{type: object, properties: {x: {type: object, nullable: true, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, properties: {apiVersion: {type: string, pattern: v1}}}}}`,
	stripped: `{type: object, properties: {x: {type: object, nullable: true, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, properties: {apiVersion: {type: string}}}}}`,
	unfolded: `{type: object, properties: {x: {type: object, nullable: true, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, required: [kind, apiVersion],
	  properties: {apiVersion: {type: string, pattern: v1, allOf: [{pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)` +
		`?[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}]}, kind: {type: string}, metadata: {type: object}}}}}`,
}, {
	name: "embedded JSON", why: "dropping value validations changes nothing",
	schema:   `{type: object, properties: {json: {type: object, x-kubernetes-preserve-unknown-fields: true, nullable: true}}}`,
	stripped: `{type: object, properties: {json: {type: object, x-kubernetes-preserve-unknown-fields: true, nullable: true}}}`,
	unfolded: `{type: object, properties: {json: {type: object, x-kubernetes-preserve-unknown-fields: true, nullable: true}}}`,
}, {
	name: "string map", why: "the type of the values is structure, their bounds are not",
	schema:   `{type: object, properties: {m: {type: object, additionalProperties: {type: integer, minimum: 42}}}}`,
	stripped: `{type: object, properties: {m: {type: object, additionalProperties: {type: integer}}}}`,
	unfolded: `{type: object, properties: {m: {type: object, additionalProperties: {type: integer, minimum: 42}}}}`,
}, {
	name: "IntOrString with anyOf", why: "the types are joined by allOf where there is an anyOf",
	schema: `{type: object, properties: {x: {x-kubernetes-int-or-string: true, pattern: abc, anyOf: [{minimum: 42, maximum: ` +
		`50}, {minimum: 52, maximum: 60}]}}}`,
	stripped: `{type: object, properties: {x: {x-kubernetes-int-or-string: true}}}`,
	unfolded: `{type: object, properties: {x: {x-kubernetes-int-or-string: true, pattern: abc, allOf: [{anyOf: [{type: ` +
		`integer}, {type: string}]}], anyOf: [{minimum: 42, maximum: 50}, {minimum: 52, maximum: 60}]}}}`,
}, {
	name: "IntOrString with the types already", why: "they are not added twice",
	schema: `{type: object, properties: {x: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: ` +
		`string}]}, {pattern: abc, anyOf: [{minimum: 42, maximum: 50}]}]}}}`,
	stripped: `{type: object, properties: {x: {x-kubernetes-int-or-string: true}}}`,
	unfolded: `{type: object, properties: {x: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: ` +
		`string}]}, {pattern: abc, anyOf: [{minimum: 42, maximum: 50}]}]}}}`,
}, {
	name: "only IntOrString", why: "the types are its anyOf",
	schema:   `{type: object, properties: {l: {type: array, items: {x-kubernetes-int-or-string: true}}}}`,
	stripped: `{type: object, properties: {l: {type: array, items: {x-kubernetes-int-or-string: true}}}}`,
	unfolded: `{type: object, properties: {l: {type: array, items: {x-kubernetes-int-or-string: true, anyOf: [{type: ` +
		`integer}, {type: string}]}}}}`,
}}

func TestLitmus(t *testing.T) {
	for _, tt := range litmus {
		t.Run(tt.name, func(t *testing.T) {
			s := served.Schema(t, tt.schema)
			if errs := structural.Check(s); len(errs) > 0 {
				t.Errorf("%s: not structural: %v", tt.why, errs)
			}
			unfolded := structural.Unfold(s)
			for name, pair := range map[string][2]*spec.Schema{
				"stripped": {served.Schema(t, tt.stripped), structural.Strip(s)}, "unfolded": {served.Schema(t, tt.unfolded), unfolded},
				"unfolded twice": {served.Schema(t, tt.unfolded), structural.Unfold(unfolded)},
				"unchanged":      {served.Schema(t, tt.schema), s},
			} {
				if diff := cmp.Diff(document(t, pair[0]), document(t, pair[1])); diff != "" {
					t.Errorf("%s: %s, want against got:\n%s", tt.why, name, diff)
				}
			}
			if errs := structural.Check(unfolded); len(errs) > 0 {
				t.Errorf("%s: not structural when it is unfolded: %v", tt.why, errs)
			}
		})
	}
}

// document is a schema as JSON.
func document(t *testing.T, s *spec.Schema) map[string]any {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := yaml.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCondition(t *testing.T) {
	for _, tt := range []struct{ name, why, crd, status, reason, message string }{{
		name: "violations", why: "all versions are named, as the API server writes it",
		crd: `{spec: {preserveUnknownFields: true, versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: ` +
			`{a: {}, b: {type: array}}}}}, {name: v2}, {name: v3, schema: {openAPIV3Schema: {type: object, anyOf: [{properties: ` +
			`{c: {type: string}}}]}}}]}}`,
		status: "True", reason: "Violations",
		message: `[spec.preserveUnknownFields: Invalid value: true: must be false, ` +
			`spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields, ` +
			`spec.versions[0].schema.openAPIV3Schema.properties[b].items: Required value: must be specified, ` +
			`spec.versions[2].schema.openAPIV3Schema.anyOf[0].properties[c].type: Forbidden: must be empty to be structural, ` +
			`spec.versions[2].schema.openAPIV3Schema.properties[c]: Required value: because it is defined in ` +
			`spec.versions[2].schema.openAPIV3Schema.anyOf[0].properties[c]]`,
	}, {
		name: "one violation", why: "a single one has no brackets",
		crd:    `{spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: string}}}]}}`,
		status: "True", reason: "Violations", message: `spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "string": ` +
			`must be object at the root`,
	}, {
		name: "not convertible", why: "a keyword that no structural schema has ends the check",
		crd:    `{spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: object, not: {properties: {a: {$ref: "#/x"}}}}}}]}}`,
		status: "Unknown", reason: "StructuralError", message: `failed to check validation schema for version v1: ` +
			`OpenAPIV3Schema '$ref' is not supported`,
	}, {
		name: "structural", why: "then there is no condition",
		crd: `{spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: object}}}]}}`,
	}} {
		t.Run(tt.name, func(t *testing.T) {
			got := structural.Condition(readCRD(t, tt.crd))
			if got == nil {
				got = &apiextensionsv1.CustomResourceDefinitionCondition{}
			}
			want := &apiextensionsv1.CustomResourceDefinitionCondition{
				Status:  apiextensionsv1.ConditionStatus(tt.status),
				Reason:  tt.reason,
				Message: tt.message,
			}
			if tt.status != "" {
				want.Type = apiextensionsv1.NonStructuralSchema
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: want against got:\n%s", tt.why, diff)
			}
		})
	}
}

// The API server's unfolding only knows int-or-string.
func TestUnfoldAsTheAPIServer(t *testing.T) {
	for _, tt := range litmus[len(litmus)-3:] {
		var internal apiextensions.JSONSchemaProps
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(served.Props(t, tt.schema),
			&internal, nil); err != nil {
			t.Fatal(err)
		}
		s, err := upstream.NewStructural(&internal)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(document(t, s.Unfold().ToKubeOpenAPI()),
			document(t, structural.Unfold(served.Schema(t, tt.schema)))); diff != "" {
			t.Errorf("%s: API server against ours:\n%s", tt.name, diff)
		}
	}
}
