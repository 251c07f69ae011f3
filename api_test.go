package diffrun_test

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateAPI = flag.Bool("update", false, "write docs/api.txt and deploy/prometheus/prometheusrule.yaml anew")

// apiFile lists the exported declarations of the stable packages.
const apiFile = "docs/api.txt"

// stable are the packages that CONTRIBUTING.md promises to keep compatible.
var stable = []string{
	"backends/declarative",
	"backends/declarative/customresource",
	"backends/native",
	"backends/native/controllerruntime",
	"backends/native/exec",
	"backends/native/kubernetes",
	"backends/native/webhook",
	"backends/policies",
	"backends/world",
	"equivalence",
	"harness",
	"metrics",
	"reports",
	"shadow",
	"shadow/strategy",
	"shadow/webhook",
	"userfile",
}

// unstable are packages that other modules can import and that may change in every release: the command and
// the stable packages are built on them.
var unstable = []string{
	"",
	"backends/declarative/apiresource",
	"backends/declarative/defaulting",
	"backends/declarative/idl",
	"backends/declarative/kubernetes",
	"backends/declarative/pruning",
	"backends/declarative/structural",
	"backends/declarative/subresource",
	"backends/declarative/tally",
	"backends/native/cluster",
	"backends/native/engine",
	"backends/native/exec/counting",
	"backends/native/kubernetes/gates",
	"backends/native/kubernetes/registry",
	"backends/native/release",
	"backends/native/release/program",
	"backends/policies/evaluation",
	"backends/reference",
	"backends/serving",
	"cases",
	"cases/admissionpolicies",
	"cases/escapes",
	"equivalence/difference",
	"exploretest",
	"harness/contract",
	"harness/words",
	"reports/record",
}

// TestStableAPI compares the exported declarations of the stable packages with docs/api.txt, so that none of
// them changes unnoticed.
func TestStableAPI(t *testing.T) {
	var lines []string
	for _, pkg := range publicPackages(t) {
		path := strings.TrimPrefix(strings.TrimPrefix(pkg.Path(), module), "/")
		switch {
		case slices.Contains(stable, path):
			lines = append(lines, exportedOf(pkg, path)...)
		case !slices.Contains(unstable, path) && !strings.HasPrefix(path, "examples/"):
			t.Errorf("%s can be imported by other modules: add it to the stable or to the unstable packages in api_test.go, "+
				"or move it below an internal folder", path)
		}
	}
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	if *updateAPI {
		if err := os.WriteFile(apiFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(string(readFile(t, apiFile)), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the API differs from %s; CONTRIBUTING.md says what may change, and `go test . -update` writes the file (-file, "+
			"+code):\n%s", apiFile, diff)
	}
}

// exportedOf returns a line for each exported constant, variable, function, type, field and method
// of a package.
func exportedOf(pkg *types.Package, path string) []string {
	qualifier := func(other *types.Package) string {
		if other == pkg {
			return ""
		}
		return other.Name()
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, path+": "+fmt.Sprintf(format, args...)) }
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		declared, isType := object.(*types.TypeName)
		if !isType {
			add("%s", types.ObjectString(object, qualifier))
			continue
		}
		structure, isStruct := declared.Type().Underlying().(*types.Struct)
		switch {
		case declared.IsAlias() && !isStruct: // of a type of an unstable package: what it is must not change
			add("type %s %s", name, types.TypeString(declared.Type().Underlying(), qualifier))
		case !isStruct:
			add("%s", types.ObjectString(object, qualifier))
		default:
			add("type %s struct", name)
			for field := range structure.Fields() {
				if field.Exported() {
					add("%s.%s %s", name, field.Name(), types.TypeString(field.Type(), qualifier))
				}
			}
		}
		if named, isNamed := types.Unalias(declared.Type()).(*types.Named); isNamed {
			for method := range named.Methods() {
				if method.Exported() {
					add("%s", types.ObjectString(method, qualifier))
				}
			}
		}
	}
	return lines
}
