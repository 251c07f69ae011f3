package declarative_test

import (
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestEstimatesOfMetadata compares the costs of rules about the names of objects, whose length is bounded
// since 1.37, with those of the API server.
func TestEstimatesOfMetadata(t *testing.T) {
	rules := []string{
		"self.metadata.name.contains('x')", "self.metadata.generateName.contains('x')", "self.kind.contains('x')",
		"self.metadata.name.matches('^a+$') && self.metadata.generateName.startsWith(self.metadata.name)",
		"self.metadata == oldSelf.metadata",
	}
	for _, tt := range []struct{ why, metadata string }{
		{"no properties at all", ""},
		{"metadata that says nothing", "metadata: {type: object}"},
		{"a shorter name", "metadata: {type: object, properties: {name: {type: string, maxLength: 10}}}"},
		{"a shorter generateName", "metadata: {type: object, properties: {generateName: {type: string, maxLength: 100}}}"},
		{"no length", "metadata: {type: object, properties: {name: {type: string, maxLength: 0}, generateName: {type: string, " +
			"maxLength: 0}}}"},
		{"longer ones", "metadata: {type: object, properties: {name: {type: string, maxLength: 1000}, generateName: {type: " +
			"string, maxLength: 1000}}}"},
		{"an enum", "metadata: {type: object, properties: {name: {type: string, enum: [a, b]}}}"},
		{"formats", "metadata: {type: object, properties: {name: {type: string, format: date, maxLength: 10}, generateName: " +
			"{type: string, format: byte, maxLength: 9}}}"},
		{"a length of what is no string", "metadata: {type: object, properties: {name: {type: integer, maxLength: 10}}}"},
		{"a default", "apiVersion: {type: string, default: v1}, kind: {type: string, default: a}"},
		{"all fields, whose types are not replaced", "apiVersion: {type: string}, kind: {type: string, maxLength: 7}, metadata: " +
			"{type: object, properties: {name: {type: string}, generateName: {type: string, maxLength: 300}}}"},
		{"all fields, and a format", "apiVersion: {type: string, format: byte}, kind: {type: string, maxLength: 7}, metadata: " +
			"{type: object, properties: {name: {type: string}, generateName: {type: string, maxLength: 300}}}"},
	} {
		for _, list := range []bool{false, true} {
			for _, rule := range rules {
				required := ""
				if list {
					required = "x-kubernetes-embedded-resource: true, required: [apiVersion, kind, metadata], "
				}
				schema := "{type: object, " + required + "properties: {" + tt.metadata + "}, x-kubernetes-validations: " +
					asJSON(t, []map[string]string{{"rule": rule}}) + "}"
				if list {
					schema = "{type: object, properties: {list: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: " +
						"[kind], items: " + schema + "}}}"
				}
				reports, err := declarative.Rules(served.Schema(t, schema), declarative.Options{
					Root:              true,
					Semantics:         declarative.CustomResources,
					WithoutEstimation: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				s := served.Structural(t, served.Props(t, schema))
				if list {
					s = s.Properties["list"].Items
				}
				want := upstreamEstimates(t, s, true)[0]
				cost := want.MaxCost
				if list {
					cost *= want.MaxCardinality
				}
				got := reports[0]
				if (want.Error != nil) != (len(got.Mistakes) > 0) || want.Error == nil && got.Cost != cost {
					t.Errorf("%s (list %t): %s: cost %d %v, in the API server %d (%v)", tt.why, list, rule, got.Cost, got.Mistakes, cost,
						want.Error)
				}
			}
		}
	}
}
