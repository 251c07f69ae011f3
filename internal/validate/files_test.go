package validate_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/internal/validate"
)

// gear is a manifest of the kind that crd defines.
func gear(spec string) string {
	return "apiVersion: example.com/v1\nkind: Gear\nmetadata: {name: a}\nspec: " + spec + "\n"
}

// writeManifests writes the files of TestFiles.
func writeManifests(t *testing.T) {
	t.Helper()
	write(t, "crd.yaml", crd)
	write(t, "good.yaml", gear("{teeth: 3}"))
	write(t, "bad.yaml", gear("\n  teeth: 1\n  colour: red"))
	write(t, "both.yaml", gear("{teeth: 3}")+"---\n"+gear("{teeth: 2}"))
	write(t, "unknown.yaml", "apiVersion: example.com/v1\nkind: Cog\nmetadata: {name: a}\n")
	write(t, "unserved.yaml", "apiVersion: example.com/v1alpha1\nkind: Gear\nmetadata: {name: a}\n")
	write(t, "broken.yaml", "a: [\n")
	if err := os.Mkdir("chart", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "chart/values.yaml", "replicas: 1\n")
	write(t, "chart/gear.yml", gear("{teeth: 4}"))
}

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	writeManifests(t)
	for _, tt := range []struct {
		why    string
		files  string
		with   func(*validate.FilesOptions)
		want   string
		result validate.FilesResult
	}{
		{"a valid object, in the namespace that kubectl takes", "good.yaml", nil, "1 object in 1 file: 1 valid\n",
			validate.FilesResult{Objects: 1, Valid: 1}},
		{"errors in the order of their lines, unknown fields among them", "bad.yaml", nil,
			"bad.yaml:5: Gear a: spec.teeth: Invalid value: 1: should be greater than or equal to 3\n" +
				"bad.yaml:6: Gear a: spec.colour: unknown field\n" +
				"1 object in 1 file: 0 valid, 1 invalid (2 errors)\n",
			validate.FilesResult{Objects: 1, Invalid: 1}},
		{"several documents, in a file that is named twice", "both.yaml both.yaml", nil,
			"both.yaml:9: Gear a: spec.teeth: Invalid value: 2: should be greater than or equal to 3\n" +
				"2 objects in 1 file: 1 valid, 1 invalid (1 error)\n",
			validate.FilesResult{Objects: 2, Valid: 1, Invalid: 1}},
		{"a directory, of which only the objects are validated", "chart", nil,
			"skipped, because they hold no Kubernetes object: chart/values.yaml\n1 object in 1 file: 1 valid; 1 file skipped\n",
			validate.FilesResult{Objects: 1, Valid: 1, SkippedFiles: 1}},
		{"a file without an object that is named by itself", "chart chart/values.yaml", nil,
			"skipped, because they hold no Kubernetes object: chart/values.yaml\n1 object in 1 file: 1 valid; 1 file skipped\n",
			validate.FilesResult{Objects: 1, Valid: 1, SkippedFiles: 1}},
		{"the input", infile.Stdin, nil,
			"stdin:4: Gear a: spec.teeth: Invalid value: 0: should be greater than or equal to 3\n1 object in 1 file: 0 valid, " +
				"1 invalid (1 error)\n",
			validate.FilesResult{Objects: 1, Invalid: 1}},
		{"a kind without a schema is a fault", "unknown.yaml good.yaml", nil,
			"unknown.yaml:1: Cog a: no verdict: there is no schema of example.com/v1 Cog; name its CustomResourceDefinition with --crd\n" +
				"--ignore-missing-schemas skips objects that have no schema\n2 objects in 2 files: 1 valid, 1 without a verdict\n",
			validate.FilesResult{Objects: 2, Valid: 1, Faults: 1}},
		{"or is skipped", "unknown.yaml good.yaml", func(o *validate.FilesOptions) { o.IgnoreMissing = true },
			"2 objects in 2 files: 1 valid, 1 skipped, because there is no schema\n",
			validate.FilesResult{Objects: 2, Valid: 1, Skipped: 1}},
		{"a version that is not served is never skipped", "unserved.yaml", func(o *validate.FilesOptions) { o.IgnoreMissing = true },
			"unserved.yaml:1: Gear a: no verdict: example.com/v1alpha1 Gear is not served according to its CustomResourceDefinition\n1 " +
				"object in 1 file: 0 valid, 1 without a verdict\n",
			validate.FilesResult{Objects: 1, Faults: 1}},
	} {
		given := validate.FilesOptions{Options: options(t), Files: strings.Fields(tt.files)}
		given.Definitions = []string{"crd.yaml"}
		if tt.with != nil {
			tt.with(&given)
		}
		got, result := runFiles(t, given, gear("{teeth: 0}"))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.why, diff)
		}
		if result != tt.result {
			t.Errorf("%s: %+v, want %+v", tt.why, result, tt.result)
		}
	}
}

// runFiles validates the files of the options.
func runFiles(t *testing.T, given validate.FilesOptions, stdin string) (string, validate.FilesResult) {
	t.Helper()
	files, err := validate.NewFiles(given)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	result, err := files.Run(t.Context(), strings.NewReader(stdin), &out)
	if err != nil {
		t.Error(err)
	}
	return out.String(), result
}

// If there are many errors, the first ones are shown and all are counted.
func TestFilesShowFirstErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	var unknown strings.Builder
	for i := range 2 * plaintext.MaxItems {
		fmt.Fprintf(&unknown, "\n  unknown%d: 1", i)
	}
	given := validate.FilesOptions{Options: options(t), Files: []string{write(t, "many.yaml", gear("\n  teeth: 3"+unknown.String()))}}
	given.Definitions = []string{write(t, "crd.yaml", crd)}
	first, _ := runFiles(t, given, "")
	given.AllErrors = true
	all, _ := runFiles(t, given, "")
	for _, tt := range []struct {
		said  string
		shown int
	}{{first, plaintext.MaxItems}, {all, 2 * plaintext.MaxItems}} {
		if got := strings.Count(tt.said, ": unknown field\n"); got != tt.shown ||
			!strings.Contains(tt.said, fmt.Sprintf("1 invalid (%d errors)", 2*plaintext.MaxItems)) {
			t.Errorf("%d errors are shown, want %d:\n%s", got, tt.shown, tt.said)
		}
	}
}

// Warnings about the named files are printed before anything is read.
func TestFilesWarnings(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", strings.Replace(crd, "default: steel", "default: 7", 1))
	var warnings []plaintext.Text
	given := validate.FilesOptions{Options: options(t), Files: []string{write(t, "good.yaml", gear("{teeth: 3}"))}}
	given.Definitions = []string{"crd.yaml"}
	given.Warn = func(said []plaintext.Text) { warnings = append(warnings, said...) }
	if _, err := validate.NewFiles(given); err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 1 || !strings.HasPrefix(string(warnings[0]), "crd.yaml:21: the API server would not store this schema: ") {
		t.Errorf("warnings: %q", warnings)
	}
}

// A read error, a write error or an interrupt ends the run; the result counts the objects before it.
func TestFilesEndEarly(t *testing.T) {
	t.Chdir(t.TempDir())
	interrupted, full := errors.New("interrupted"), errors.New("no space left")
	ended, end := context.WithCancelCause(t.Context())
	end(interrupted)
	given := validate.FilesOptions{Options: options(t), Files: []string{write(t, "good.yaml", gear("{teeth: 3}")), "gone.yaml"}}
	given.Definitions = []string{write(t, "crd.yaml", crd)}
	if _, err := validate.NewFiles(given); err == nil || !strings.HasPrefix(err.Error(), "gone.yaml: cannot be read") {
		t.Errorf("a file that is not there: %v", err)
	}
	write(t, "gone.yaml", gear("{teeth: 3}"))
	for _, tt := range []struct {
		why  string
		ctx  context.Context
		out  io.Writer
		want error
	}{
		{"an interrupt", ended, io.Discard, interrupted},
		{"a full disk", t.Context(), failing{full}, full},
	} {
		files, err := validate.NewFiles(given)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := files.Run(tt.ctx, strings.NewReader(""), tt.out); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, err, tt.want)
		}
	}
	files, err := validate.NewFiles(given)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove("gone.yaml"); err != nil {
		t.Fatal(err)
	}
	if result, err := files.Run(t.Context(), strings.NewReader(""), io.Discard); err == nil || result.Objects != 1 {
		t.Errorf("a file that is gone: %+v, %v", result, err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// bolts is a built-in kind whose Go type has only a size, with a default, and whose schema wants at most 9.
type bolts struct{}

var boltVersion = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Bolt"}

func (b bolts) builtin() validate.Builtin {
	return validate.Builtin{
		Kinds: []schema.GroupKind{boltVersion.GroupKind()},
		Target: func(kind schema.GroupKind) (*harness.Target, error) {
			if kind != boltVersion.GroupKind() {
				return nil, errors.New("unknown kind")
			}
			return &harness.Target{Kind: kind, Scheme: b, Versions: []harness.Version{{GroupVersionKind: boltVersion}}}, nil
		},
		Backend: func(schema.GroupVersionKind) (harness.Backend, error) { return b, nil },
	}
}

func (bolts) Describe() serving.Description { return serving.Description{Namespaced: true} }

func (bolts) Decode(document map[string]any, _ schema.GroupVersionKind) (any, error) {
	return document, nil
}

func (bolts) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	if document := object.(map[string]any); document["size"] == nil {
		document["size"] = int64(10)
	}
	return object, old, nil
}

func (bolts) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

func (bolts) Name() string { return "bolts" }

func (bolts) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	document, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	var errs field.ErrorList
	if size := document["size"].(int64); size > 9 {
		errs = append(errs, field.Invalid(field.NewPath("size"), size, "must be at most 9"))
	}
	if metadata := document["metadata"].(map[string]any); metadata["namespace"] != "default" {
		errs = append(errs, field.Required(field.NewPath("metadata", "namespace"), ""))
	}
	return errs, nil
}

// Objects of a built-in kind use its scheme, and need no definition. The reference engine does not support
// them.
func TestFilesOfBuiltins(t *testing.T) {
	t.Chdir(t.TempDir())
	bolt := "apiVersion: example.com/v1\nkind: Bolt\nmetadata: {name: a}\n"
	given := validate.FilesOptions{Options: options(t), Builtins: []validate.Builtin{bolts{}.builtin()}}
	given.Files = []string{write(t, "bolts.yaml", bolt+"size: 1\n---\n"+bolt), write(t, "gear.yaml", gear("{}"))}
	got, result := runFiles(t, given, "")
	want := "bolts.yaml:6: Bolt a: size: Invalid value: 10: must be at most 9\n" +
		"gear.yaml:1: Gear a: no verdict: there is no schema of example.com/v1 Gear; name its CustomResourceDefinition with --crd\n" +
		"built-in schemas: Bolt.example.com\n--ignore-missing-schemas skips objects that have no schema\n" +
		"3 objects in 2 files: 1 valid, 1 invalid (1 error), 1 without a verdict\n"
	if diff := cmp.Diff(want, got); diff != "" || result != (validate.FilesResult{Objects: 3, Valid: 1, Invalid: 1, Faults: 1}) {
		t.Errorf("%+v, -want +got\n%s", result, diff)
	}
	given.Engine = validate.Reference
	if _, result := runFiles(t, given, ""); result != (validate.FilesResult{Objects: 3, Faults: 3}) {
		t.Errorf("the reference: %+v", result)
	}
}
