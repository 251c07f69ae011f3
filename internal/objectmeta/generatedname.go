package objectmeta

import (
	"k8s.io/apiserver/pkg/storage/names"
)

// generatedSuffix stands for the five characters that the API server draws. It is a constant, so
// that runs repeat.
const generatedSuffix = "x7k2p"

// GeneratedName returns the name that an object with this metadata.generateName gets. The API server
// generates it after mutating and before validating admission, and validates the object with it
// (Store.Create of k8s.io/apiserver/pkg/registry/generic/registry). The result is that of
// names.SimpleNameGenerator of k8s.io/apiserver/pkg/storage/names, but the same in each run.
func GeneratedName(prefix string) string {
	return prefix[:min(len(prefix), names.MaxGeneratedNameLength)] + generatedSuffix
}
