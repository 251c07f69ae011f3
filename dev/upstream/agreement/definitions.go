package agreement

import (
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
)

// readInternal reads a definition, or a part of one, in the API server's own form.
func readInternal[T any](text json.RawMessage) (*T, error) {
	into := new(T)
	return into, kjson.UnmarshalCaseSensitivePreserveInts(text, into)
}

// around returns a CustomResourceDefinition with a schema.
func around(schema *apiextensions.CustomResourceValidation, status bool) *apiextensions.CustomResourceDefinition {
	preserve := false
	crd := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "things.example.dev"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.dev", Version: "v1", Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{
				Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList",
			},
			Versions:              []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
			Conversion:            &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter},
			Validation:            schema.DeepCopy(),
			PreserveUnknownFields: &preserve,
		},
		Status: apiextensions.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	if status {
		crd.Spec.Subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
	}
	return crd
}
