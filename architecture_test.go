package diffrun_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/diffrun/diffrun"

// layers are the folders of the module from the lowest to the highest, a row for each layer. A package may
// import its own folder and those of lower layers, but no other folder of its layer. A package belongs to the
// longest folder that contains it.
var layers = [][]string{
	{"", "internal/apiname", "internal/casecluster", "internal/celexpr", "internal/fieldpath", "internal/httpserver",
		"internal/hub", "internal/objectmeta", "internal/parallel", "internal/staging", "internal/text"},
	{"internal/object", "internal/openapi", "internal/process", "userfile"},
	{"internal/explore", "internal/files"},
	{"equivalence"},
	{"internal/sidebyside"},
	{"harness"},
	{"internal/stages"},
	{"backends/serving"},
	{"backends/declarative", "backends/policies", "backends/reference", "internal/admission"},
	{"backends/native"},
	{"backends/world"},
	{"internal/gomodule", "internal/remembered", "internal/scaffold", "internal/schema", "metrics"},
	{"internal/coverage", "internal/findings"},
	{"cases", "exploretest", "internal/infer", "internal/live", "reports", "shadow"},
	{"internal/validate"},
	{"cmd/diffrun", "examples"},
	{"internal/testing"}, // only tests import it
}

// strangers are folders that must not import each other although their layers would allow it.
var strangers = [][2]string{
	{"backends/native", "backends/declarative"},
	{"backends/declarative/internal", "harness"},
	{"backends/declarative/internal", "equivalence"},
	{"equivalence", "internal/openapi"},
	{"cmd/diffrun/internal/terminal", "cmd/diffrun/internal/recorded"},
	{"cmd/diffrun/internal/terminal", "cmd/diffrun/internal/run"},
	{"cmd/diffrun/internal/terminal", "cmd/diffrun/internal/soak"},
	{"cmd/diffrun/internal/recorded", "cmd/diffrun/internal/run"},
	{"cmd/diffrun/internal/recorded", "cmd/diffrun/internal/soak"},
	{"cmd/diffrun/internal/run", "cmd/diffrun/internal/soak"},
}

// linksKubernetes are the parts that may depend on k8s.io/kubernetes: users of any other part must not have
// to compile it.
var linksKubernetes = []string{"backends/native/kubernetes", "backends/native/release/program", "cmd/diffrun", "examples"}

// linksControllerRuntime are the parts that may depend on controller-runtime.
var linksControllerRuntime = []string{"backends/native/controllerruntime", "shadow/webhook"}

// readsMemory is the one package that reads Go values without reflection.
const readsMemory = "backends/declarative/internal/view"

func TestImportGraph(t *testing.T) {
	packages := listPackages(t)
	if len(packages) < 50 {
		t.Fatalf("only %d packages found; is this the module's root?", len(packages))
	}
	for _, pkg := range packages {
		checkLayers(t, pkg)
		path := strings.TrimPrefix(pkg.ImportPath, module+"/")
		if slices.Contains(pkg.Imports, "unsafe") && path != readsMemory {
			t.Errorf("%s imports unsafe; only %s may, where tests hold it against reflection", path, readsMemory)
		}
		if !isIn(path, linksKubernetes) && slices.ContainsFunc(pkg.Deps, func(dep string) bool {
			return strings.HasPrefix(dep, "k8s.io/kubernetes/")
		}) {
			t.Errorf("%s depends on k8s.io/kubernetes; only %q may", path, linksKubernetes)
		}
		linked := slices.ContainsFunc(pkg.Deps, func(dep string) bool { return strings.HasPrefix(dep, "sigs.k8s.io/controller-runtime/") })
		if allowed := isIn(path, linksControllerRuntime); linked != allowed {
			t.Errorf("%s depends on controller-runtime: %t; %q must, and no other folder may", path, linked, linksControllerRuntime)
		}
	}
}

// checkLayers reports imports of a package that do not lead to a lower layer.
func checkLayers(t *testing.T, pkg listedPackage) {
	from := strings.TrimPrefix(strings.TrimPrefix(pkg.ImportPath, module), "/")
	folder, layer := layerOf(from)
	if layer < 0 {
		t.Errorf("%s is in no layer of architecture_test.go", from)
	}
	for _, imported := range pkg.Imports {
		to, ours := strings.CutPrefix(imported, module)
		if !ours {
			continue
		}
		to = strings.TrimPrefix(to, "/")
		if below, at := layerOf(to); below != folder && at >= layer {
			t.Errorf("%s imports %s: %q is not in a layer below %q (architecture_test.go and ARCHITECTURE.md list the layers)",
				from, to, below, folder)
		}
		for _, pair := range strangers {
			if isIn(from, pair[:1]) && isIn(to, pair[1:]) {
				t.Errorf("%s imports %s; %s must not know %s", from, to, pair[0], pair[1])
			}
		}
	}
}

// layerOf returns the folder of a package and the index of its layer, or -1 if it is in none.
func layerOf(path string) (folder string, layer int) {
	layer = -1
	for i, row := range layers {
		for _, name := range row {
			if name == path || name != "" && strings.HasPrefix(path, name+"/") && len(name) > len(folder) {
				folder, layer = name, i
			}
		}
	}
	return folder, layer
}

// isIn reports whether a package is one of the folders or below one of them.
func isIn(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
}

type listedPackage struct {
	ImportPath    string
	Dir           string
	GoFiles       []string
	Imports, Deps []string
}

// listPackages asks the go command for the packages of the module, without their tests: tests may import
// anything.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	packages := goJSON[listedPackage](t, "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "./...")
	for _, pkg := range packages {
		for _, file := range pkg.GoFiles {
			dependOn(t, filepath.Join(pkg.Dir, file))
		}
	}
	return packages
}
