package served

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// Definitions returns the files of real CustomResourceDefinitions, from the folder that
// DIFFRUN_CRDS names or from shared/data/crds beside the repository. Without any it skips the test
// and says so. `go test` hides this for passing packages: `make test` and `.ci/run` print which
// tests were skipped.
func Definitions(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv("DIFFRUN_CRDS")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "../../../../shared/data/crds")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("SKIPPED, nothing was tested or measured: there are no CustomResourceDefinitions in %s (set DIFFRUN_CRDS)", dir)
	}
	return files
}

// Definition reads a CustomResourceDefinition from a file.
func Definition(t testing.TB, file string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(data, crd); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return crd
}

// Stored reads the schema of the version that a CustomResourceDefinition stores.
func Stored(t testing.TB, file string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	for _, v := range Definition(t, file).Spec.Versions {
		if v.Storage {
			return v.Schema.OpenAPIV3Schema
		}
	}
	t.Fatalf("%s has no storage version", file)
	return nil
}
