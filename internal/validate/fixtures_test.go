package validate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/validate"
)

// fixture is a document in a file of this repository, in a file of a script, or in a block of a documentation
// page.
type fixture struct {
	set  string // the folder of the file, or the script or page
	name string
	text []byte
}

// fenced is a block of a page.
var fenced = regexp.MustCompile("(?ms)^```(?:yaml|json)[^\n]*\n(.*?)^```")

// fixtures returns all documents that may be definitions, objects or cases.
func fixtures(t *testing.T) (all []fixture) {
	t.Helper()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == ".git" || name == "e2e/bin" || name == "backends/declarative/idl"):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonl", ".txtar", ".md"}, path.Ext(name)):
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".txtar":
			for _, file := range txtar.Parse(data).Files {
				all = append(all, fixture{name, name + ":" + file.Name, file.Data})
			}
		case ".md":
			for i, block := range fenced.FindAllSubmatch(data, -1) {
				all = append(all, fixture{name, fmt.Sprintf("%s:%d", name, i), block[1]})
			}
		default:
			all = append(all, fixture{path.Dir(name), name, data})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// documents returns the documents of a fixture that can be decoded: some are wrong on purpose.
func (f fixture) documents() (all []any) {
	separator := []byte("\n---")
	if path.Ext(f.name) == ".jsonl" || bytes.HasPrefix(f.text, []byte(`{"id"`)) {
		separator = []byte("\n")
	}
	for part := range bytes.SplitSeq(f.text, separator) {
		var document any
		if err := yaml.Unmarshal(part, &document); err == nil {
			all = append(all, document)
		}
	}
	return all
}

// asked is a request in a fixture.
type asked struct {
	set string
	harness.Request
	object, old map[string]any
}

// requests finds the objects in a document, wherever they are, and the cases of a case file.
func (f fixture) requests(in any) (all []asked) {
	switch in := in.(type) {
	case []any:
		for _, item := range in {
			all = append(all, f.requests(item)...)
		}
	case map[string]any:
		if kind := kindOf(in); kind.Kind != "" && kind.Kind != "CustomResourceDefinition" {
			return []asked{{set: f.set, Request: harness.Request{Version: kind}, object: in}}
		}
		if cases, isFile := in["cases"].([]any); isFile {
			objects, _ := in["objects"].(map[string]any)
			for _, one := range cases {
				if written, ok := one.(map[string]any); ok {
					all = append(all, f.caseOf(written, objects)...)
				}
			}
		}
		if object, isLine := in["object"].(map[string]any); isLine {
			old, _ := in["oldObject"].(map[string]any)
			sub, _ := in["subresource"].(string)
			return append(all, asked{set: f.set, Request: harness.Request{Version: kindOf(object), Subresource: sub}, object: object,
				old: old})
		}
		for _, value := range in {
			all = append(all, f.requests(value)...)
		}
	}
	return all
}

// caseOf makes the request of a case with its patch.
func (f fixture) caseOf(written, objects map[string]any) []asked {
	object := patched(written, objects)
	if object == nil {
		return nil
	}
	var old map[string]any
	if before, ok := written["old"].(map[string]any); ok {
		old = patched(before, objects)
	}
	sub, _ := written["subresource"].(string)
	return []asked{{set: f.set, Request: harness.Request{Version: kindOf(object), Subresource: sub}, object: object, old: old}}
}

// patched returns the object that a case names or contains, with its merge patch; nil if it has none that can
// be decoded.
func patched(written, objects map[string]any) map[string]any {
	object, _ := written["object"].(map[string]any)
	if name, named := written["object"].(string); named {
		object, _ = objects[name].(map[string]any)
	}
	patch, has := written["patch"]
	if object == nil || !has {
		return object
	}
	before, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	change, err := json.Marshal(patch)
	if err != nil {
		return nil
	}
	after, err := jsonpatch.MergePatch(before, change)
	var result map[string]any
	if err != nil || json.Unmarshal(after, &result) != nil {
		return nil
	}
	return result
}

func kindOf(object map[string]any) schema.GroupVersionKind {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	return schema.FromAPIVersionAndKind(apiVersion, kind)
}

// related reports whether an object of one set is meant for a definition of another: a folder and its
// subfolders belong together.
func related(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

// TestFixtures compares both backends on every fixture of the repository: on the objects and cases with each
// related definition, and on the lines that have a schema.
func TestFixtures(t *testing.T) {
	var requests []asked
	defined := map[string]fixture{}
	var lines []string
	for _, f := range fixtures(t) {
		for i, document := range f.documents() {
			if object, _ := document.(map[string]any); kindOf(object).Kind == "CustomResourceDefinition" {
				text, err := yaml.Marshal(object)
				if err != nil {
					t.Fatal(err)
				}
				defined[fmt.Sprintf("%s#%d", f.name, i)] = fixture{f.set, f.name, text}
			}
			requests = append(requests, f.requests(document)...)
			if object, _ := document.(map[string]any); object["schema"] != nil && object["object"] != nil {
				lines = append(lines, lineOf(t, object))
			}
		}
	}
	served, compared := 0, 0
	for _, name := range slices.Sorted(maps.Keys(defined)) {
		n, ok := compareFixtures(t, name, defined[name], requests)
		compared += n
		if ok {
			served++
		}
	}
	compared += compareLines(t, "schemas of lines", nil, lines)
	t.Logf("%d definitions, %d requests, %d lines with schemas: %d answers compared", served, len(requests), len(lines), compared)
	if served < 50 || compared < 600 || len(lines) < 20 {
		t.Errorf("only %d definitions, %d lines with schemas and %d answers: fixtures are no longer found", served, len(lines), compared)
	}
}

func lineOf(t *testing.T, line map[string]any) string {
	t.Helper()
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// compareFixtures compares both backends on the objects of a definition. ok is false if the API server would
// not serve the definition.
func compareFixtures(t *testing.T, name string, f fixture, requests []asked) (compared int, ok bool) {
	t.Helper()
	read, err := definitions.ReadOne("crd.yaml", f.text)
	if err != nil {
		return 0, false // wrong on purpose
	}
	if refused, err := structural.CheckCRD(t.Context(), read.CRD); err != nil || len(refused) > 0 &&
		!strings.Contains(refused[0].Detail, "estimated") {
		return 0, false // nobody serves it
	}
	file := filepath.Join(t.TempDir(), "crd.yaml")
	if err := os.WriteFile(file, f.text, 0o600); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range requests {
		isOf := r.Version.Group == read.CRD.Spec.Group && r.Version.Kind == read.CRD.Spec.Names.Kind
		if r.Subresource == "scale" || !isOf || !related(r.set, f.set) {
			continue // the reference has no verdict about a scale
		}
		line := map[string]any{"id": fmt.Sprint(len(lines)), "object": r.object}
		if r.old != nil {
			line["oldObject"] = r.old
		}
		if r.Subresource != "" {
			line["subresource"] = r.Subresource
		}
		lines = append(lines, lineOf(t, line))
	}
	return compareLines(t, name, []string{file}, lines), true
}

// answer is a backend's answer to a line.
type answer struct {
	Valid   bool             `json:"valid"`
	Object  any              `json:"object"`
	Dropped []string         `json:"dropped"`
	Errors  []map[string]any `json:"errors"`
	Fault   string           `json:"fault"`
}

// beyondReference are prefixes or suffixes of faults about requests that the API server's code does not
// support.
var beyondReference = regexp.MustCompile(`apiextensions-apiserver does not know \S+$|it is not a JSON object, ` +
	`which this backend needs$|the reference prunes and defaults objects only$`)

// unseenByReference is the fault of a $ref to the whole document. The library that decodes schemas for the
// API server's code drops it.
var unseenByReference = regexp.MustCompile(`\$ref: Invalid value: "#": must be `)

// compareLines compares both backends on lines, with and without preparation. It returns the number of equal
// answers.
func compareLines(t *testing.T, name string, files, lines []string) (equal int) {
	t.Helper()
	for _, prepares := range []bool{false, true} {
		ours, failed := answersOf(t, validate.Declarative, prepares, files, lines)
		theirs, failedToo := answersOf(t, validate.Reference, prepares, files, lines)
		if (failed == nil) != (failedToo == nil) {
			t.Errorf("%s: declarative: %v\nreference: %v", name, failed, failedToo)
		}
		if failed != nil || failedToo != nil {
			return equal
		}
		for i, line := range lines {
			if beyondReference.MatchString(theirs[i].Fault) || unseenByReference.MatchString(ours[i].Fault) {
				continue
			}
			if theirs[i].Object == nil {
				ours[i].Object, ours[i].Dropped, theirs[i].Dropped = nil, nil, nil // it could not be prepared
			}
			if ours[i].Fault != "" && theirs[i].Fault != "" {
				ours[i].Fault, theirs[i].Fault = "no verdict", "no verdict" // each in its words
			}
			if diff := cmp.Diff(theirs[i], ours[i]); diff != "" {
				t.Errorf("%s, prepared %v: %s\n-reference +declarative:\n%s", name, prepares, line, diff)
				continue
			}
			equal++
		}
	}
	return equal
}

// answersOf returns the answers of a backend to lines. The error says that it rejects the definition.
func answersOf(t *testing.T, engine validate.Engine, prepares bool, files, lines []string) (answers []answer, err error) {
	t.Helper()
	opts := validate.LinesOptions{Options: options(t), Prune: prepares, Default: prepares}
	opts.Engine, opts.Definitions, opts.Warn = engine, files, nil
	made, err := validate.NewLines(opts)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := made.Run(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(&out); decoder.More(); {
		var one answer
		if err := decoder.Decode(&one); err != nil {
			t.Fatal(err)
		}
		for _, e := range one.Errors {
			delete(e, "origin") // upstream's errors have none
		}
		answers = append(answers, one)
	}
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(answers), len(lines))
	}
	return answers, nil
}
