package staging_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/diffrun/diffrun/internal/staging"
)

func TestRequirements(t *testing.T) {
	goMod := filepath.Join(t.TempDir(), "go.mod")
	const content = `module k8s.io/kubernetes

go 1.26.0

require (
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.140.0
	example.com/indirect v0.0.0-20260101000000-000000000000 // indirect
)

replace k8s.io/api => ./staging/src/k8s.io/api
`
	if err := os.WriteFile(goMod, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	file, modules, err := staging.Requirements(goMod, "v1.38.2")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(modules, []string{"k8s.io/api"}) {
		t.Errorf("staging modules: %v", modules)
	}
	want := map[string]string{"k8s.io/api": "v0.38.2", "k8s.io/klog/v2": "v2.140.0", "example.com/indirect": "v0.0.0-20260101000000-000000000000"}
	for _, require := range file.Require {
		if require.Mod.Version != want[require.Mod.Path] {
			t.Errorf("%v, want %s", require.Mod, want[require.Mod.Path])
		}
	}
	if len(file.Require) != len(want) {
		t.Errorf("%d requirements, want %d", len(file.Require), len(want))
	}
	if _, _, err := staging.Requirements(filepath.Join(t.TempDir(), "go.mod"), "v1.38.2"); err == nil {
		t.Error("a file that is not there has no requirements")
	}
}
