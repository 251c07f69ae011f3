package diffrun_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/diffrun/diffrun"

// importGraph says, for each part of the project, which other parts its
// packages may import; parts stand below those that may import them. A
// package belongs to the longest part that it begins with.
var importGraph = []struct {
	part string
	may  []string
}{
	{"internal/oneline", nil},
	{"internal/oneof", nil},
	{"internal/fastpath", nil},
	{"internal/ordered", nil},
	{"internal/plaintext", []string{"internal/oneline"}},
	{"userfile", []string{"internal/plaintext"}},
	{"internal/strictyaml", []string{"userfile"}},
	{"internal/governed", nil},
	{"internal/jsonwords", nil},
	{"internal/checksum", nil},
	{"internal/infile", nil},
	{"internal/outfile", []string{"internal/infile"}},
	{"internal/documents", []string{"internal/strictyaml", "internal/jsonwords", "internal/infile"}},
	{"internal/jsonpatch", []string{"internal/jsonwords", "internal/documents"}},
	{"internal/definitions", []string{"internal/strictyaml", "internal/jsonwords", "internal/infile", "internal/plaintext", "internal/documents"}},
	{"internal/objectmeta", nil},
	{"internal/fieldpath", nil},
	{"internal/fielderror", []string{"internal/fieldpath"}},
	{"internal/recorded", nil},
	{"internal/hubconversion/hub", nil},
	{"equivalence", []string{"internal/governed", "internal/plaintext", "internal/fielderror", "userfile", "internal/strictyaml", "internal/fieldpath"}},
	{"harness", []string{"internal/oneof", "internal/ordered", "internal/plaintext", "internal/infile", "internal/documents", "equivalence", "internal/fieldpath", "internal/fielderror"}},
	{"backends/native", []string{"equivalence", "internal/jsonpatch", "internal/jsonwords", "harness"}},
	{"backends/native/controllerruntime", []string{"harness", "internal/hubconversion/hub", "backends/native"}},
	{"backends/native/cluster", []string{"harness", "backends/native", "backends/policies"}},
	{"backends/native/kubernetes", []string{"internal/objectmeta", "harness"}},
	{"backends/declarative/internal", []string{"internal/fastpath", "internal/fieldpath"}}, // view, pattern, declared, tally
	{"backends/declarative/internal/keyword", []string{"internal/fastpath", "backends/declarative/internal/tally", "backends/declarative/internal/pattern", "backends/declarative/internal/view"}},
	{"backends/declarative/internal/cel/parse", nil},
	{"backends/declarative/internal/cel/decl", []string{"backends/declarative/internal/view"}},
	{"backends/declarative/internal/cel/values", []string{"backends/declarative/internal/cel/decl", "backends/declarative/internal/view"}},
	{"backends/declarative/internal/cel/library", []string{"backends/declarative/internal/cel/values"}},
	{"backends/declarative/internal/cel/plan", []string{"internal/fastpath", "backends/declarative/internal/cel/decl", "backends/declarative/internal/cel/values", "backends/declarative/internal/cel/library", "backends/declarative/internal/pattern", "backends/declarative/internal/view"}},
	{"backends/declarative/internal/cel", []string{"internal/fastpath", "backends/declarative/internal/cel", "backends/declarative/internal/pattern", "backends/declarative/internal/view"}},
	{"backends/declarative/internal/graph", []string{"internal/fastpath", "internal/jsonwords", "internal/fielderror", "backends/declarative/internal/declared", "backends/declarative/internal/tally", "backends/declarative/internal/cel", "backends/declarative/internal/keyword", "backends/declarative/internal/pattern", "backends/declarative/internal/view"}},
	{"backends/declarative/internal/walk", []string{"internal/fielderror", "backends/declarative/internal/tally", "backends/declarative/internal/cel", "backends/declarative/internal/graph", "backends/declarative/internal/keyword", "backends/declarative/internal/view"}},
	{"backends/declarative", []string{"internal/fielderror", "internal/jsonwords", "equivalence", "harness", "backends/declarative/internal"}},
	{"backends/declarative/customresource", []string{"internal/oneof", "internal/objectmeta", "internal/strictyaml", "internal/jsonwords", "internal/definitions", "equivalence", "harness", "backends/declarative"}},
	{"backends/world", []string{"equivalence", "harness", "backends/native/admission", "backends/policies", "backends/declarative"}},
	{"backends/declarative/idl", []string{"userfile", "internal/fieldpath", "internal/strictyaml", "backends/declarative/internal"}},
	{"backends/declarative/idl/kubernetes", []string{"userfile", "internal/fieldpath", "internal/fielderror", "internal/strictyaml", "internal/outfile", "harness", "equivalence", "backends/declarative", "backends/declarative/idl"}},
	{"backends/policies", []string{"equivalence", "harness", "userfile", "internal/oneline", "internal/jsonwords", "internal/documents"}},
	{"backends/reference", []string{"internal/fielderror", "harness"}},
	{"internal/generate", nil},
	{"internal/bucket", []string{"internal/outfile"}},
	{"internal/fakecluster", nil},
	{"internal/markdown", nil},
	{"internal/slowtest", nil},
	{"internal/actionrun", []string{"internal/outfile"}},
	{"internal/ciformats", []string{"internal/plaintext"}},
	{"internal/causes", []string{"internal/plaintext", "equivalence", "harness"}},
	{"internal/redaction", []string{"internal/fieldpath", "equivalence", "harness", "backends/declarative"}},
	{"internal/rundiff", []string{"internal/plaintext", "equivalence", "harness", "internal/causes"}},
	{"reports", []string{"internal/checksum", "internal/plaintext", "internal/jsonwords", "internal/documents", "internal/outfile", "equivalence", "harness", "internal/causes", "internal/ciformats", "internal/coverage"}},
	{"internal/listening", nil},
	{"metrics", []string{"internal/plaintext", "equivalence", "harness", "internal/listening"}},
	{"harness/shadow", []string{"equivalence", "harness", "internal/causes", "internal/redaction", "metrics", "backends/declarative"}},
	{"harness/shadow/webhook", []string{"harness", "harness/shadow", "backends/native", "backends/native/admission"}},
	{"harness/shadow/strategy", []string{"harness", "harness/shadow"}},
	{"internal/gosource", []string{"userfile", "internal/strictyaml", "internal/definitions", "backends/declarative"}},
	{"internal/hubconversion", []string{"userfile", "internal/strictyaml", "internal/outfile", "internal/hubconversion/hub", "backends/declarative/idl"}},
	{"cases", []string{"internal/oneof", "userfile", "internal/gosource", "internal/schemasource", "internal/hubconversion", "internal/recorded", "internal/jsonpatch", "internal/strictyaml", "internal/jsonwords", "internal/plaintext", "internal/infile", "internal/documents", "internal/definitions", "equivalence", "harness", "backends/native/cluster", "backends/native/exec", "backends/native/webhook", "backends/policies", "backends/world", "backends/declarative"}},
	{"examples", []string{"harness", "backends"}},
	{"internal/schemaproof", []string{"internal/inert", "backends/declarative"}},
	{"internal/ruleproof", []string{"internal/schemaproof"}},
	{"internal/schemadiff", []string{"internal/schemaproof", "internal/ruleproof", "internal/plaintext", "internal/generate", "internal/inert", "backends/declarative"}},
	{"internal/inert", nil},
	{"internal/schemacompare", []string{"internal/plaintext", "internal/strictyaml", "internal/infile", "internal/documents", "internal/definitions", "internal/schemadiff", "internal/schemasource"}},
	{"internal/sourcelint", []string{"userfile", "backends/declarative"}},
	{"internal/schemalint", []string{"internal/schemaproof", "internal/ruleproof", "backends/declarative", "internal/inert"}},
	{"internal/schemasource", []string{"userfile", "internal/sourcelint", "internal/gosource", "internal/strictyaml", "internal/infile", "internal/documents", "internal/definitions", "harness", "backends/declarative"}},
	{"internal/lintreport", []string{"userfile", "internal/governed", "internal/sourcelint", "internal/plaintext", "internal/strictyaml", "internal/jsonwords", "internal/infile", "internal/documents", "internal/schemalint", "internal/schemasource", "internal/ciformats"}},
	{"internal/served", []string{"internal/generate", "backends/declarative"}},
	{"internal/capture/recorder", nil},
	{"internal/capture/instrument", nil},
	{"internal/capture/converter", []string{"internal/capture/recorder"}},
	{"internal/capture/corpus", []string{"internal/recorded", "internal/outfile", "internal/capture/recorder", "internal/capture/converter", "harness", "backends/native/admission"}},
	{"internal/capture", []string{"internal/capture", "internal/outfile", "backends/declarative/idl"}},
	{"internal/upstream", []string{"internal/outfile", "internal/capture", "backends/declarative", "backends/reference"}},
	{"internal/kubernetesshare", []string{"internal/outfile"}},
	{"internal/upstreamlines", []string{"internal/outfile"}},
	{"internal/bench", []string{"", "reports", "internal/fastpath", "internal/outfile", "internal/generate", "internal/coverage", "harness", "cases", "backends"}},
	{"internal/validate", []string{"internal/schemasource", "internal/objectmeta", "internal/ciformats", "internal/ordered", "internal/plaintext", "internal/oneline", "internal/strictyaml", "internal/jsonwords", "internal/infile", "internal/documents", "internal/definitions", "harness", "backends/declarative", "backends/reference", "reports"}},
	{"internal/gocoverage", []string{"internal/infile"}},
	{"internal/errorsites", nil},
	{"internal/mutate", []string{"internal/inert", "internal/schemaproof", "internal/ruleproof", "internal/ordered", "internal/plaintext", "harness", "backends/declarative"}},
	{"internal/handwritten", []string{"internal/gocoverage", "internal/errorsites", "internal/coverage", "equivalence", "harness"}},
	{"internal/coverage", []string{"internal/plaintext", "internal/ordered", "internal/strictyaml", "internal/infile", "internal/outfile", "internal/documents", "harness", "backends/declarative"}},
	{"internal/reviewserver", []string{"internal/jsonwords", "harness", "backends/native/admission", "metrics", "internal/listening"}},
	{"internal/soak", []string{"userfile", "internal/jsonwords", "internal/plaintext", "internal/infile", "internal/outfile", "internal/bucket", "equivalence", "harness", "internal/causes", "metrics"}},
	{"cmd/diffrun", []string{"", "internal/soak", "internal/redaction", "internal/reviewserver", "internal/capture", "internal/mutate", "internal/coverage", "internal/handwritten", "internal/gocoverage", "internal/errorsites", "internal/plaintext", "internal/rundiff", "internal/strictyaml", "internal/jsonwords", "internal/oneline", "internal/oneof", "internal/infile", "internal/bucket", "internal/outfile", "internal/documents", "internal/definitions", "internal/gosource", "internal/schemasource", "internal/schemacompare", "internal/schemadiff", "internal/schemalint", "internal/lintreport", "internal/validate", "equivalence", "harness", "backends", "reports", "metrics", "cases"}},
	{"", nil}, // the root package: only embeds files
}

// linksKubernetes are the parts that may depend on k8s.io/kubernetes: whoever
// imports any other part must not have to compile it.
var linksKubernetes = []string{"backends/native/kubernetes", "cmd/diffrun", "examples", "internal/bench"}

// linksControllerRuntime are the parts that may depend on controller-runtime: its validators,
// and the command, which reloads certificates with it.
var linksControllerRuntime = []string{"backends/native/controllerruntime", "harness/shadow/webhook", "internal/reviewserver", "cmd/diffrun"}

// readsMemory is the one package that reads Go values without reflection.
const readsMemory = "backends/declarative/internal/view"

func TestImportGraph(t *testing.T) {
	packages := listPackages(t)
	if len(packages) < len(importGraph)/2 {
		t.Fatalf("only %d packages found; is this the module's root?", len(packages))
	}
	for _, pkg := range packages {
		from := partOf(pkg.ImportPath)
		at := slices.IndexFunc(importGraph, func(row struct {
			part string
			may  []string
		}) bool {
			return row.part == from
		})
		for _, imported := range pkg.Imports {
			to, ours := strings.CutPrefix(imported, module)
			if !ours || partOf(imported) == from {
				continue
			}
			to = strings.TrimPrefix(to, "/")
			if !slices.ContainsFunc(importGraph[at].may, func(may string) bool { return to == may || may != "" && strings.HasPrefix(to, may+"/") }) {
				t.Errorf("%s imports %s; %q may import only %q (the graph stands in architecture_test.go and ARCHITECTURE.md)", pkg.ImportPath, imported, from, importGraph[at].may)
			}
		}
		if slices.Contains(pkg.Imports, "unsafe") && pkg.ImportPath != module+"/"+readsMemory {
			t.Errorf("%s imports unsafe; only %s may, where tests hold it against reflection", pkg.ImportPath, readsMemory)
		}
		if !slices.Contains(linksKubernetes, from) && slices.ContainsFunc(pkg.Deps, func(dep string) bool { return strings.HasPrefix(dep, "k8s.io/kubernetes/") }) {
			t.Errorf("%s depends on k8s.io/kubernetes; only %q may", pkg.ImportPath, linksKubernetes)
		}
		linked := slices.ContainsFunc(pkg.Deps, func(dep string) bool { return strings.HasPrefix(dep, "sigs.k8s.io/controller-runtime/") })
		if linked != slices.Contains(linksControllerRuntime, from) {
			t.Errorf("%s depends on controller-runtime: %t; %q must, and no other part may", pkg.ImportPath, linked, linksControllerRuntime)
		}
	}
}

// partOf gives the longest part of the graph that a package belongs to.
func partOf(importPath string) string {
	path := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	longest := ""
	for _, row := range importGraph {
		if (path == row.part || strings.HasPrefix(path, row.part+"/")) && len(row.part) > len(longest) {
			longest = row.part
		}
	}
	return longest
}

type listedPackage struct {
	ImportPath    string
	Dir           string
	GoFiles       []string
	Imports, Deps []string
}

// listPackages asks the go command for the packages of the module, without
// their tests: tests may look at anything.
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
