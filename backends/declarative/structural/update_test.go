package structural_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/structural"
)

// TestUpdate checks the result of CheckCRDUpdate for two files.
func TestUpdate(t *testing.T) {
	const loose = `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}, b: ` +
		`{type: array, items: {type: string, x-kubernetes-validations: [{rule: "self.contains(self)"}]}}}}`
	two := strings.Replace(widgets(`{type: object}`), "versions: [", "versions: [{name: v2, served: true, storage: false, "+
		"schema: {openAPIV3Schema: {type: object, description: other}}}, ", 1)
	for _, tt := range []struct {
		why, old, crd string
		want          []string
	}{
		{"a new definition that is fine", widgets(`{type: object}`), widgets(`{type: object, properties: {a: {type: string}}}`), nil},
		{
			"old mistakes may stay, but the total cost of the rules is still limited", widgets(loose), widgets(loose),
			[]string{"FieldValueForbidden spec.validation.openAPIV3Schema"},
		},
		{
			"a set is a new mistake, and a rule is checked again if its schema changes",
			widgets(`{type: object, properties: {a: {type: array, items: {type: object}}}}`),
			widgets(`{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}}}`),
			[]string{"FieldValueInvalid spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-map-type"},
		},
		{
			"the scope, the kind and the plural stay", widgets(`{type: object}`),
			strings.NewReplacer("Namespaced", "Cluster", "kind: Widget", "kind: Gadget").Replace(widgets(`{type: object}`)),
			[]string{"FieldValueInvalid spec.names.kind", "FieldValueInvalid spec.scope"},
		},
		{
			"a version that is stored may not go", widgets(`{type: object}`), strings.ReplaceAll(widgets(`{type: object}`),
				"name: v1,", "name: v2,"),
			[]string{"FieldValueInvalid status.storedVersions[0]"},
		},
		{
			"if two versions are marked as stored, it is the first one", strings.Replace(two, "storage: false", "storage: true", 1),
			strings.ReplaceAll(two, "storage: false", "storage: true"),
			[]string{"FieldValueInvalid spec.versions", "FieldValueInvalid status.storedVersions"},
		},
		{
			"a default that was already wrong is not an error of the new schema", widgets(`{type: object, default: 5}`),
			widgets(`{type: object}`), nil,
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			errs, err := structural.CheckCRDUpdate(t.Context(), readCRD(t, tt.crd), readCRD(t, tt.old))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, place := range errs {
				if !strings.HasPrefix(place.Detail, contributed) {
					got = append(got, fmt.Sprintf("%s %s", string(place.Type), place.Field))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s\n%v", diff, errs)
			}
		})
	}
}
