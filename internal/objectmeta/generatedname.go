package objectmeta

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/storage/names"
)

// generatedSuffix takes the place of the five random characters that the API server appends. It is a
// constant, so that runs are repeatable.
const generatedSuffix = "x7k2p"

// GenerateName sets the name of an object that has a generateName and no name.
func GenerateName(object metav1.Object) {
	if prefix := object.GetGenerateName(); prefix != "" && object.GetName() == "" {
		object.SetName(GeneratedName(prefix))
	}
}

// GeneratedName returns the name that an object with this metadata.generateName gets. The API server
// generates it after mutating and before validating admission, and validates the object with it
// (Store.Create of k8s.io/apiserver/pkg/registry/generic/registry). The result is that of
// names.SimpleNameGenerator of k8s.io/apiserver/pkg/storage/names, but the same in each run.
func GeneratedName(prefix string) string {
	return prefix[:min(len(prefix), names.MaxGeneratedNameLength)] + generatedSuffix
}
