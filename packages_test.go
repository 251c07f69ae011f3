package diffrun_test

import (
	"strings"
	"testing"
)

// TestPackages bounds the number of packages that a first build of the command compiles: one import can bring
// hundreds. Packages that the command does not always need are behind a build tag (cmd/diffrun/slim.go,
// clouds.go).
func TestPackages(t *testing.T) {
	for _, row := range []struct {
		why, tags string
		most      int
		without   []string
	}{
		{"what go run compiles", "", 1885, []string{
			"github.com/aws/",
			"github.com/Azure/",
			"cloud.google.com/",
			"sigs.k8s.io/controller-runtime/",
		}},
		{"custom resources with exec, webhook and Go sides, and validate", "slim", 948,
			[]string{"k8s.io/kubernetes/", "k8s.io/client-go/kubernetes/", "sigs.k8s.io/controller-runtime/"}},
	} {
		packages := goJSON[struct{ ImportPath string }](t, "list", "-deps", "-json=ImportPath", "-tags="+row.tags, "./cmd/diffrun")
		if len(packages) > row.most {
			t.Errorf("-tags=%q (%s): %d packages, at most %d; `go list -deps` says which import brought them", row.tags, row.why,
				len(packages), row.most)
		}
		for _, pkg := range packages {
			for _, prefix := range row.without {
				if strings.HasPrefix(pkg.ImportPath, prefix) {
					t.Errorf("-tags=%q: it has %s", row.tags, pkg.ImportPath)
				}
			}
		}
	}
}
