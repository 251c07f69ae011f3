package subresource_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/internal/testing/served"
)

func TestProject(t *testing.T) {
	for _, tt := range []struct {
		name, why, schema, want string
		path                    []string
	}{
		{
			name: "status", why: "the proposal's use of it", path: []string{"status"},
			schema: `{type: object, required: [spec], properties: {spec: {type: string}, status: {type: object, oneOf: [{required: ` +
				`[a]}, {required: [b]}]}}}`,
			want: `{type: object, oneOf: [{required: [a]}, {required: [b]}]}`,
		},
		{name: "deeper", why: "a path has any length", path: []string{"status", "a"},
			schema: `{properties: {status: {properties: {a: {type: string}}}}}`, want: `{type: string}`},
		{name: "nothing", why: "the empty path is the whole", schema: `{oneOf: [{}]}`, want: `{oneOf: [{}]}`},
		{name: "not declared", why: "everything is allowed there", path: []string{"status"},
			schema: `{properties: {spec: {type: string}}}`, want: `{}`},
		{name: "any name", why: "additionalProperties cover it", path: []string{"status"},
			schema: `{additionalProperties: {type: string}}`, want: `{type: string}`},
		{name: "declared among others", why: "additionalProperties do not cover it", path: []string{"status"},
			schema: `{properties: {status: {type: integer}}, additionalProperties: {type: string}}`, want: `{type: integer}`},
		{
			name: "a reference on the way", why: "it is ignored", path: []string{"status", "a"},
			schema: `{properties: {status: {$ref: "#/definitions/Status", properties: {a: {type: string}}}}}`,
			want:   `{type: string}`,
		},
		{
			name: "oneOf at the root", why: "it is ignored, though it may restrict the status", path: []string{"status"},
			schema: `{properties: {status: {type: string}}, oneOf: [{required: [status]}]}`, want: `{type: string}`,
		},
		{
			name: "all junctors on the way", why: "all are ignored", path: []string{"status", "a"},
			schema: `{allOf: [{}], anyOf: [{}], not: {}, properties: {status: {oneOf: [{}], properties: {a: {type: string}}}}}`,
			want:   `{type: string}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := subresource.Project(served.Schema(t, tt.schema), tt.path...)
			if diff := cmp.Diff(served.Text(served.Schema(t, tt.want)), served.Text(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, diff)
			}
		})
	}
}
