package scaffold_test

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

var update = flag.Bool("update", false, "write what is scaffolded to the golden file")

// unpack writes the files of an archive to a new directory.
func unpack(t *testing.T, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, file := range archive.Files {
		at := filepath.Join(root, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// A project that has everything: the golden file has the files that are written and the open questions.
func TestScaffold(t *testing.T) {
	project, err := scaffold.Find(unpack(t, "testdata/operator.txtar"), "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := project.Draft("diffrun",
		[]string{"/validate-example-com-v1-widget", "/mutate-example-com-v1-widget", "/validate-sprockets"})
	if err != nil {
		t.Fatal(err)
	}
	files := plan.Files
	delete(files, "diffrun/serve/cluster.go") // copies of package casecluster
	delete(files, "diffrun/serve/rights.go")
	delete(files, "diffrun/serve/reviews.go") // the same for every project
	delete(files, "diffrun/serve/panics.go")
	delete(files, "diffrun/validators/panics.go")
	archive := &txtar.Archive{Comment: []byte(strings.Join(plan.Open, "\n") + "\n")}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: files[name]})
	}
	golden, got := "testdata/operator.golden", txtar.Format(archive)
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

// TestFunctionProgram: the program that serves functions answers reviews, with the versions of the project's libraries.
func TestFunctionProgram(t *testing.T) {
	slowtest.Skip(t)
	root := t.TempDir()
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^\s*k8s.io/apimachinery (v\S+)`).FindSubmatch(module)
	for name, text := range map[string]string{
		"go.mod": "module example.com/operator\n\ngo 1.26\n\nrequire k8s.io/apimachinery " + string(version[1]) + "\n",
		"go.sum": string(sums),
		"crd.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " +
			"widgets.example.com}\nspec:\n  group: example.com\n" +
			"  names: {kind: Widget, plural: widgets}\n  scope: Namespaced\n  versions:\n  - {name: v1, served: true, storage: " +
			"true, schema: {openAPIV3Schema: {type: object}}}\n",
		"api/v1/types.go": `package v1

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

type Widget struct {
	Size int ` + "`json:\"size\"`" + `
}

func (w *Widget) Validate(path *field.Path) (errs field.ErrorList) {
	if w.Size > 10 {
		errs = append(errs, field.Invalid(path.Child("size"), w.Size, "must be at most 10"))
	}
	return errs
}

func ValidateWidgetUpdate(widget, old *Widget) (errs field.ErrorList) {
	if widget.Size < old.Size {
		errs = append(errs, field.Forbidden(field.NewPath("size"), "widgets do not shrink"))
	}
	return errs
}

func ValidateWidgetDivisor(widget *Widget) field.ErrorList {
	fmt.Println("what a function prints is no answer")
	_ = 10 / widget.Size
	return nil
}
`,
	} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	project, err := scaffold.Find(root, "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	program, err := project.FunctionProgram("diffrun", project.Validators())
	if err != nil {
		t.Fatal(err)
	}
	writeProgram(t, project, "diffrun/validators/", program)
	serve := exec.Command("go", "run", "-mod=mod", "./diffrun/validators", "Widget")
	serve.Dir, serve.Stdin = root, strings.NewReader(`{"apiVersion":"admission.k8s.io/v1","request":{"uid":"a","object":{`+
		`"size":7},"oldObject":null}}
{"apiVersion":"admission.k8s.io/v1","request":{"uid":"b","object":{"size":11},"oldObject":{"size":12}}}
{"apiVersion":"admission.k8s.io/v1","request":{"uid":"c","object":{"size":0}}}
`)
	var failed strings.Builder
	serve.Stderr = &failed
	out, err := serve.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, &failed, program["main.go"])
	}
	want := []string{
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":true,"uid":"a"}}`,
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":false,"status":{"details":{"causes":[` +
			`{"field":"size","message":"Invalid value: 11: must be at most 10","reason":"FieldValueInvalid"},` +
			`{"field":"size","message":"Forbidden: widgets do not shrink","reason":"FieldValueForbidden"}]},` +
			`"message":"[size: Invalid value: 11: must be at most 10, size: Forbidden: widgets do not shrink]"},"uid":"b"}}`,
		`{"apiVersion":"v1","kind":"Status","message":"panic: runtime error: integer divide by zero at ` +
			`example.com/operator/api/v1.ValidateWidgetDivisor (/api/v1/types.go:29)","status":"Failure"}`,
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(strings.ReplaceAll(string(out), root, "")), "\n")); diff != "" {
		t.Errorf("the answers (-want +got):\n%s", diff)
	}
}

// Webhooks of several services may have the same path, and a webhook with a URL has none.
func TestFromObjectsSharedPath(t *testing.T) {
	var objects []map[string]any
	for _, plural := range []string{"widgets", "gadgets", "gears"} {
		version := map[string]any{
			"name":    "v1",
			"served":  true,
			"storage": true,
			"schema":  map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}},
		}
		rule := map[string]any{"operations": []any{"*"}, "apiGroups": []any{"example.com"}, "apiVersions": []any{"*"},
			"resources": []any{plural}}
		client := map[string]any{"service": map[string]any{"path": "/validate"}}
		if plural == "gears" {
			client = map[string]any{"url": "https://gears.example.com"}
		}
		objects = append(objects, map[string]any{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			"metadata": map[string]any{"name": plural + ".example.com"},
			"spec": map[string]any{
				"group":    "example.com",
				"scope":    "Namespaced",
				"names":    map[string]any{"kind": plural, "plural": plural},
				"versions": []any{version},
			},
		}, map[string]any{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
			"metadata": map[string]any{"name": plural},
			"webhooks": []any{map[string]any{"name": plural + ".example.com", "clientConfig": client, "rules": []any{rule}}},
		})
	}
	if all := scaffold.FromObjects(objects, scaffold.Access{}).GuardedDefinitions(); len(all) != 3 {
		t.Errorf("%d definitions are guarded, want 3", len(all))
	}
}

// Resource names that look like paths do not lead out of the repository.
func TestWriteOutside(t *testing.T) {
	project := &scaffold.Project{Root: t.TempDir()}
	for _, name := range []string{"../suite.yaml", "/suite.yaml"} {
		if written, _, err := project.Write(map[string][]byte{name: nil}); err == nil || len(written) > 0 {
			t.Errorf("%s: wrote %q, error %v", name, written, err)
		}
	}
}

// TestUsualPaths: projects that register webhooks without a builder write the group with its dots.
func TestUsualPaths(t *testing.T) {
	project, err := scaffold.Find(unpack(t, "testdata/operator.txtar"), "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	project.Webhooks, project.Functions = nil, nil
	for _, served := range []string{"/validate-example-com-v1-gadget", "/validate-example.com-v1-gadget"} {
		if !slices.Contains(project.Paths(), served) {
			t.Errorf("the program is not asked for %s", served)
		}
		plan := scaffold.NewPlan(project, "diffrun", []string{served})
		if len(plan.Suites) != 1 || plan.Suites[0].Then == nil || plan.Suites[0].Then.Path != served {
			t.Errorf("%s: %d suites", served, len(plan.Suites))
		}
	}
}

// Existing files are kept, whatever their contents.
func TestWriteKeeps(t *testing.T) {
	project := &scaffold.Project{Root: t.TempDir()}
	for _, tt := range []struct {
		content       string
		written, kept []string
	}{
		{"new", []string{path.Join("diffrun", "suite.yaml")}, nil},
		{"newer", nil, []string{path.Join("diffrun", "suite.yaml")}},
	} {
		written, kept, err := project.Write(map[string][]byte{"diffrun/suite.yaml": []byte(tt.content)})
		if diff := cmp.Diff([][]string{tt.written, tt.kept}, [][]string{written, kept}); err != nil || diff != "" {
			t.Errorf("%s: error %v (-want +got):\n%s", tt.content, err, diff)
		}
	}
	content, err := os.ReadFile(filepath.Join(project.Root, "diffrun", "suite.yaml"))
	if err != nil || string(content) != "new" {
		t.Errorf("%q, %v", content, err)
	}
}

// TestCorrect: once the program has answered, files that nobody changed become those of what it serves. The draft of
// before is that of the sources alone, so a second run corrects what an interrupted one wrote.
func TestCorrect(t *testing.T) {
	root := unpack(t, "testdata/operator.txtar")
	project, err := scaffold.Find(root, "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	project.Functions = nil // they would serve gadgets in place of the program
	before, err := project.Draft("diffrun", project.Presumed())
	if err != nil {
		t.Fatal(err)
	}
	after, err := project.Draft("diffrun", []string{"/validate-sprockets"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := project.Write(before.Files); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(root, "diffrun", "gadgets", "cases.yaml")
	if err := os.WriteFile(mine, []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	changed, err := project.Correct(before.Files, after.Files)
	want := []string{"diffrun/gadgets/suite.yaml", "diffrun/widgets/suite.yaml"} // one loses its webhook, one needs its URL
	if diff := cmp.Diff(want, changed); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine\n" {
		t.Errorf("a changed file does not stay: %q, %v", text, err)
	}
	for name, want := range after.Files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || string(got) != string(want) && name != "diffrun/gadgets/cases.yaml" {
			t.Errorf("%s is not that of the new draft: %v", name, err)
		}
	}
}

// TestKeptProgram: no file is written beside a program that has its content already.
func TestKeptProgram(t *testing.T) {
	root := unpack(t, "testdata/operator.txtar")
	project, err := scaffold.Find(root, "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	const old = "package main\n\nfunc serve() {}\n"
	if _, _, err := project.Write(map[string][]byte{"diffrun/serve/main.go": []byte(old)}); err != nil {
		t.Fatal(err)
	}
	project.KeepProgram("diffrun")
	draft, err := project.Draft("diffrun", project.Presumed())
	if err != nil {
		t.Fatal(err)
	}
	for name := range draft.Files {
		if strings.HasPrefix(name, "diffrun/serve/") {
			t.Errorf("%s would be written", name)
		}
	}
	if !slices.ContainsFunc(draft.Open, func(of string) bool { return strings.HasSuffix(of, "remove diffrun/serve") }) {
		t.Errorf("left open: %q", draft.Open)
	}
}

// If there is nothing to compare, that is not an error of the search, and invalid YAML does not end it.
func TestFindNothing(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"broken.yaml": "apiVersion: v1\nkind: [\n", "go.mod": "module example.com/m\n",
		"broken.go": "package x\nfunc AddToScheme( {", "values.yaml": "apiVersion: {{ x }}\nkind: CustomResourceDefinition\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	project, err := scaffold.Find(root, "diffrun", render.Folder)
	if err != nil || len(project.Definitions) > 0 || len(scaffold.NewPlan(project, "diffrun", nil).Suites) > 0 {
		t.Errorf("%+v, %v", project, err)
	}
	if len(project.Open) != 1 || !strings.Contains(project.Open[0], "broken.go is not read") {
		t.Errorf("left open: %q", project.Open)
	}
}
