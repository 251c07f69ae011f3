package structural_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/structural"
)

// TestExplain checks the messages that say more than the API server's.
func TestExplain(t *testing.T) {
	const expensive = `{type: object, properties: {a: {type: array, items: {type: string, x-kubernetes-validations: [{rule: ` +
		`"self.contains(self)"}]}}}}`
	twice := strings.Replace(widgets(`{type: object}`), "versions: [", "versions: [{name: v1, served: true, storage: true, "+
		"schema: {openAPIV3Schema: {type: object, description: other}}}, ", 1)
	for _, tt := range []struct {
		why, crd string
		want     []string
	}{
		{
			"pruning removes fields of a default", widgets(`{type: object, properties: {a: {type: object, default: {b: 1, c: 2}}}}`),
			[]string{`spec.validation.openAPIV3Schema.properties[a].default: Invalid value: {"b":1,"c":2}: must not have unknown ` +
				`fields: b, c`},
		},
		{
			"it does not list those of a resource", widgets(`{type: object, properties: {a: {type: object, default: {kind: A}}}}`),
			[]string{
				`spec.validation.openAPIV3Schema.properties[a].default: Invalid value: {"kind":"A"}: must not have unknown fields: ` +
					`apiVersion, kind or metadata, because it is not a resource`,
			},
		},
		{
			"a rule is printed as it is written, and its error names no generated type",
			widgets(`{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: "self > 0"}]}`),
			[]string{"spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid value: {\"rule\":\"self \\u003e 0\"}: " +
				"does not compile: ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(the schema, int)'\n " +
				"| self > 0\n | .....^"},
		},
		{
			"a path that leads nowhere", widgets(`{type: object, properties: {a: {type: string}}, x-kubernetes-validations: ` +
				`[{rule: "true", fieldPath: .b}]}`),
			[]string{
				`spec.validation.openAPIV3Schema.x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path: ` +
					`does not refer to a valid field: there is no "b"`,
			},
		},
		{
			"costs are numbers, and one rule is to blame for the total", widgets(expensive),
			[]string{
				`spec.validation.openAPIV3Schema: Forbidden: estimated cost of all rules 103763067358150656 is over the limit of ` +
					`100000000 (1037630673.6 times): correct the rules first that are over their own limit`,
				`spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-validations[0].rule: Forbidden: contributed to ` +
					`estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
				`spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost`,
			},
		},
		{
			"the keyword that a status loses", strings.Replace(widgets(`{type: object, maxProperties: 3}`), "storage: true,",
				"storage: true, subresources: {status: {}},", 1),
			[]string{
				`spec.validation.openAPIV3Schema: Invalid value: "maxProperties": is not allowed at the root of the schema if the ` +
					`status subresource is enabled`,
			},
		},
		{
			"versions are not printed whole", twice,
			[]string{
				"spec.versions: Invalid value: must contain unique version names",
				"spec.versions: Invalid value: must have exactly one version marked as storage version",
				`status.storedVersions: Invalid value: ["v1"]: must have the storage version v1`,
			},
		},
		{
			"a selectable field in a schema that cannot be converted makes the API server panic",
			strings.Replace(widgets(`{type: object, properties: {a: {type: string, $schema: "http://x"}}}`), "storage: true,",
				"storage: true, selectableFields: [{jsonPath: .a}],", 1),
			[]string{`spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`},
		},
	} {
		errs, err := structural.CheckCRD(t.Context(), readCRD(t, tt.crd))
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		var got []string
		for i, e := range errs {
			text := e.Error()
			if i < len(tt.want) && strings.HasPrefix(text, tt.want[i]) {
				text = tt.want[i]
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}
