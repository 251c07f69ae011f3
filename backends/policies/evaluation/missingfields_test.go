package evaluation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestMissingFields: fields that an expression reads without testing that they are set, and similar
// expressions that are correct.
func TestMissingFields(t *testing.T) {
	const optional = `{type: object, properties: {metadata: {type: object}, spec: {type: object, required: [size], ` +
		`properties: {size: {type: integer}, mode: {type: string}, on: {type: boolean}, def: {type: integer, default: 3}, list: ` +
		`{type: array, items: {type: object, properties: {a: {type: string}}}}}}}}`
	required := strings.Replace(optional, "{type: object, properties: {metadata", "{type: object, required: [spec], properties: {metadata",
		1)
	for _, tt := range []struct {
		why, schema, policy string
		want                []string // path and field
	}{
		{"a spec that may be missing", optional, "validations: [{expression: object.spec.size < 10}]",
			[]string{"spec.validations[0].expression: object.spec"}},
		{"a spec that is required", required, "validations: [{expression: object.spec.size < 10}]", nil},
		{"a field of it that is not", required, "validations: [{expression: object.spec.mode != 'a'}]",
			[]string{"spec.validations[0].expression: object.spec.mode"}},
		{"a default", required, "validations: [{expression: object.spec.def < 10}]", nil},
		{"a guard", optional, "validations: [{expression: '!has(object.spec) || object.spec.size < 10'}]", nil},
		{"a guard after it", optional, "validations: [{expression: 'object.spec.size < 10 && has(object.spec)'}]", nil},
		{"a guard that asks too deep", optional, "validations: [{expression: 'has(object.spec.mode) && object.spec.mode != \"a\"'}]",
			[]string{"spec.validations[0].expression: object.spec"}},
		{"the wrong guard", optional, "validations: [{expression: 'has(object.spec) || object.spec.size < 10'}]",
			[]string{"spec.validations[0].expression: object.spec"}},
		{"a condition", required, "validations: [{expression: 'has(object.spec.mode) ? object.spec.mode != \"a\" : " +
			"object.spec.mode != \"b\"'}]", []string{"spec.validations[0].expression: object.spec.mode"}},
		{"a key of a map", optional, "validations: [{expression: '!(\"spec\" in object) || object.spec.size < 10'}]", nil},
		{"a field that is optional in CEL", optional, "validations: [{expression: 'object.?spec.?mode.orValue(\"\") != \"a\"'}]", nil},
		{"a matchCondition as a guard", optional, "matchConditions: [{name: a, expression: has(object.spec)}]\n  validations: " +
			"[{expression: object.spec.size < 10}]", nil},
		{"a variable as a guard", optional, "variables: [{name: there, expression: has(object.spec)}, {name: size, expression: " +
			"object.spec.size}]\n  validations: [{expression: '!variables.there || variables.size < 10'}]", nil},
		{"a variable that reads", optional, "variables: [{name: size, expression: object.spec.size}]\n  validations: " +
			"[{expression: 'variables.size < 10'}]", []string{"spec.validations[0].expression: object.spec"}},
		{"in a list", required, "validations: [{expression: 'object.spec.list.all(x, x.a != \"b\")'}]",
			[]string{"spec.validations[0].expression: object.spec.list", "spec.validations[0].expression: x.a"}},
		{"a guard in a list", required, "validations: [{expression: '!has(object.spec.list) || object.spec.list.all(x, " +
			"!has(x.a) || x.a != \"b\")'}]", nil},
		{"a list in a variable", required, "variables: [{name: l, expression: 'has(object.spec.list) ? object.spec.list : " +
			"[]'}]\n  validations: [{expression: 'variables.l.exists(x, x.a == \"b\")'}]", []string{"spec.validations[0].expression: x.a"}},
		{"items that a filter proves", required, "validations: [{expression: '!has(object.spec.list) || object.spec.list.filter(x, " +
			"has(x.a)).all(x, x.a != \"b\")'}]", nil},
		{"labels", required, "validations: [{expression: 'object.metadata.labels[\"a\"] == \"b\"'}]",
			[]string{"spec.validations[0].expression: object.metadata.labels"}},
		{"the old object", required, "validations: [{expression: 'oldObject.spec.mode == \"a\"'}]", nil},
		{"metadata is always there", optional, "validations: [{expression: object.metadata.name != 'a'}]", nil},
		{"a boolean", required, "validations: [{expression: '!has(object.spec.on) || object.spec.on'}]", nil},
		{"twice the same", optional, "validations: [{expression: object.spec.size < 10 && object.spec.size > 1}]",
			[]string{"spec.validations[0].expression: object.spec"}},
		{"of a different resource", optional, "validations: [{expression: object.spec.size < 10}]\n  matchConstraints:\n    " +
			"resourceRules: [{apiGroups: [other], apiVersions: [v1], operations: [CREATE], resources: [things]}]", nil},
	} {
		t.Run(tt.why, func(t *testing.T) {
			head := policyHead
			if strings.Contains(tt.policy, "matchConstraints") {
				head, _, _ = strings.Cut(policyHead, "  matchConstraints")
			}
			of := served.Schema(t, tt.schema)
			resource := evaluation.Resource{
				Description: serving.Description{Kind: schema.GroupKind{Group: "g", Kind: "Thing"}, Versions: []serving.Version{
					{GroupVersionKind: schema.GroupVersionKind{Group: "g", Version: "v1", Kind: "Thing"}, Plural: "things"},
				}},
				Schema: func(string) *spec.Schema { return of },
			}
			set, err := evaluation.Load([]evaluation.File{{Name: "a.yaml", Data: []byte(head + "  " + tt.policy + "\n" + bound)}},
				evaluation.Options{Resources: []evaluation.Resource{resource}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, mistake := range set.MissingFields() {
				text := mistake.Error()
				if !strings.Contains(text, "failurePolicy: Fail") || !strings.Contains(text, "has(") {
					t.Errorf("no consequence and no advice: %s", text)
				}
				_, rest, _ := strings.Cut(text, ": ")
				got = append(got, strings.Split(rest, " may be missing")[0])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
