package structural_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/schema/generate"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// asStored is a definition as the API server has it after some time.
func asStored(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	t.Helper()
	v1 := crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(v1)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(v1, internal, nil); err != nil {
		t.Fatal(err)
	}
	internal.ResourceVersion = "1"
	for _, v := range internal.Spec.Versions {
		if v.Storage {
			internal.Status.StoredVersions = []string{v.Name}
		}
	}
	internal.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{{Type: apiextensions.Established, Status: apiextensions.ConditionTrue}}
	return internal
}

// checkUpdate holds an update against the API server's validation and gives the number
// of errors, -1 where that panics.
func checkUpdate(t *testing.T, crd, old *apiextensions.CustomResourceDefinition) int {
	t.Helper()
	want, judged := referenceUpdate(t, crd, old)
	if !judged {
		return -1
	}
	got, err := structural.CheckInternalUpdate(t.Context(), crd, old)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(places(want), places(got)); diff != "" {
		t.Errorf("API server against ours:\n%s\nAPI server:\n  %s\nours:\n  %s\nold %s\nnew %s", diff, strings.Join(lines(want), "\n  "),
			strings.Join(lines(got), "\n  "), served.Text(old.Spec), served.Text(crd.Spec))
	}
	return len(want)
}

func referenceUpdate(t *testing.T, crd, old *apiextensions.CustomResourceDefinition) (errs field.ErrorList, judged bool) {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil {
			t.Logf("the API server's code panics: %v", cause)
		}
	}()
	return upstream.ValidateCustomResourceDefinitionUpdate(t.Context(), crd, old), true
}

// TestUpdatesOfAllRows updates each definition of the other tests to itself, and to
// some of the others.
func TestUpdatesOfAllRows(t *testing.T) {
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, tt := range crdSchemas {
		all = append(all, readCRD(t, widgets(tt.schema)))
	}
	for _, tt := range crds {
		all = append(all, readCRD(t, tt.crd))
	}
	tolerated, refused := 0, 0
	for i, old := range all {
		for _, step := range []int{0, 1, 7} {
			crd := all[(i+step)%len(all)]
			for _, preserves := range []bool{false, true} {
				after, before := asStored(t, crd), asStored(t, old)
				if preserves {
					after.Spec.PreserveUnknownFields, before.Spec.PreserveUnknownFields = new(true), new(true)
				}
				t.Run(fmt.Sprintf("row %d to %d", i, (i+step)%len(all)), func(t *testing.T) {
					onUpdate := checkUpdate(t, after, before)
					switch onCreate := len(upstreamCreate(t, after)); {
					case onUpdate > 0:
						refused++
					case onCreate > 0:
						tolerated++
					}
				})
			}
		}
	}
	if tolerated < 10 || refused < 50 {
		t.Errorf("%d updates let a mistake pass and %d were refused", tolerated, refused)
	}
}

func upstreamCreate(t *testing.T, crd *apiextensions.CustomResourceDefinition) (errs field.ErrorList) {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil {
			t.Logf("the API server's code panics: %v", cause)
		}
	}()
	return upstream.ValidateCustomResourceDefinition(t.Context(), crd)
}

func TestGeneratedUpdates(t *testing.T) {
	found := 0
	for seed := range uint64(*schemas / 3) {
		src := generate.Seeded(seed)
		old := readCRD(t, widgets(`{type: object}`))
		p := generate.Schema(src, generate.SchemaOptions{WithoutRules: seed%2 == 0, Unadmitted: seed%5 == 0})
		if seed%3 != 0 {
			spoil(src, p)
		}
		old.Spec.Versions[0].Schema.OpenAPIV3Schema = p
		crd := old.DeepCopy()
		if seed%4 != 0 {
			spoil(src, crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
		}
		if !t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { found += max(0, checkUpdate(t, asStored(t, crd), asStored(t, old))) }) {
			return
		}
	}
	if found < *schemas/12 {
		t.Errorf("only %d mistakes", found)
	}
}

// TestUpdate holds what CheckCRDUpdate makes of two files.
func TestUpdate(t *testing.T) {
	const loose = `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}, b: {type: array, items: {type: string, x-kubernetes-validations: [{rule: "self.contains(self)"}]}}}}`
	two := strings.Replace(widgets(`{type: object}`), "versions: [", "versions: [{name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, description: other}}}, ", 1)
	for _, tt := range []struct {
		why, old, crd string
		want          []string
	}{
		{"a new definition that is fine", widgets(`{type: object}`), widgets(`{type: object, properties: {a: {type: string}}}`), nil},
		{
			"what was wrong may stay wrong, but all rules together stay bounded", widgets(loose), widgets(loose),
			[]string{"FieldValueForbidden spec.validation.openAPIV3Schema"},
		},
		{
			"a set is a new mistake, and a rule is judged anew where its schema changes", widgets(`{type: object, properties: {a: {type: array, items: {type: object}}}}`), widgets(`{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}}}`),
			[]string{"FieldValueInvalid spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-map-type"},
		},
		{
			"the scope, the kind and the plural stay", widgets(`{type: object}`), strings.NewReplacer("Namespaced", "Cluster", "kind: Widget", "kind: Gadget").Replace(widgets(`{type: object}`)),
			[]string{"FieldValueInvalid spec.names.kind", "FieldValueInvalid spec.scope"},
		},
		{
			"a version that is stored may not go", widgets(`{type: object}`), strings.ReplaceAll(widgets(`{type: object}`), "name: v1,", "name: v2,"),
			[]string{"FieldValueInvalid status.storedVersions[0]"},
		},
		{
			"of two versions that are marked as stored the first is", strings.Replace(two, "storage: false", "storage: true", 1), strings.ReplaceAll(two, "storage: false", "storage: true"),
			[]string{"FieldValueInvalid spec.versions", "FieldValueInvalid status.storedVersions"},
		},
		{
			"a default that was wrong in the old one is no fault of the new one", widgets(`{type: object, default: 5}`), widgets(`{type: object}`), nil,
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
