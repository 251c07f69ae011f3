package instrument_test

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/gomodule/capture/instrument"
)

func TestFile(t *testing.T) {
	const head = "package p\n\nimport \"context\"\nimport \"net/http\"\nimport admissionv1 \"k8s.io/api/admission/v1\"\nimport " +
		"metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\nimport \"k8s.io/apimachinery/pkg/util/validation/field\"\nimport " +
		"\"knative.dev/pkg/apis\"\n\n"
	for _, tt := range []struct {
		why, source string
		functions   []string
		has         []string // in the new source
		refused     string
		near        string // why it nearly qualifies
		named       string // by --func
	}{
		{why: "a function", source: "func Validate(w *Widget) field.ErrorList {\n\treturn nil\n}\n",
			functions: []string{"m/p.Validate"}, has: []string{
				`Start(&diffrunrecorder.Function{Name: "m/p.Validate", Parameters: []string{"w"}}, w); defer diffrunCall.Close(); ` +
					`diffrunResult0 := func() (field.ErrorList) {` + "\n",
				"\n}(); diffrunCall.End(diffrunResult0); return diffrunResult0 }\n",
			}},
		{why: "one line, several results, one of them named", source: "func Validate(ctx context.Context, w *Widget) (errs " +
			"field.ErrorList, err error) { return }\n", functions: []string{"m/p.Validate"},
			has: []string{"func() (errs field.ErrorList, err error) { return }(); diffrunCall.End(diffrunResult0, diffrunResult1)"}},
		{why: "parameters without names", source: "func Validate(*Widget, string) *field.Error { return nil }\n",
			functions: []string{"m/p.Validate"}, has: []string{"func Validate(diffrunParameter0 *Widget, diffrunParameter1 string)"}},
		{why: "parameters that are not used", source: "func Validate(_ *Widget, a, _ string) *field.Error { return nil }\n",
			functions: []string{"m/p.Validate"}, has: []string{"func Validate(diffrunParameter0_ *Widget, a, diffrunParameter2_ string)"}},
		{why: "a generic method", source: "func (v *Validator[T]) ValidateUpdate(ctx context.Context, oldObj, newObj T) " +
			"(warnings []string, err error) { return nil, nil }\n", functions: []string{"m/p.Validator.ValidateUpdate"},
			has: []string{`Receiver: "v", Old: true`}},
		{why: "after an admission request", source: "func Validate(a *admissionv1.AdmissionRequest, oldObj, obj runtime.Object) " +
			"(field.ErrorList, []string) { return nil, nil }\n", functions: []string{"m/p.Validate"},
			has: []string{`Parameters: []string{"a", "oldObj", "obj"}, Old: true}`}},
		{why: "after options", source: "func Validate(strict bool, w *Widget) field.ErrorList { return nil }\n",
			functions: []string{"m/p.Validate"}, has: []string{`Parameters: []string{"strict", "w"}}`}},
		{why: "the object is the receiver", source: "func (w *Widget) ValidateUpdate(old runtime.Object) error { return nil }\n",
			functions: []string{"m/p.Widget.ValidateUpdate"}, has: []string{"OldOnly: true"}},
		{why: "a parameter hides the package", source: "func Validate(w *Widget, field string) field.ErrorList { return nil }\n",
			functions: []string{"m/p.Validate"}, has: []string{"func() (diffrunType", "\ntype diffrunType", " = field.ErrorList\n"}},
		{why: "a handler of HTTP requests", source: "func (s *Server) serve(w http.ResponseWriter, r *http.Request) { w.Write(nil) }\n",
			functions: []string{"m/p.Server.serve"},
			has: []string{`Serve(&diffrunrecorder.Function{Name: "m/p.Server.serve", Parameters: []string{"w", "r"}, ` +
				`Receiver: "s"}, &w, r, s); defer diffrunCall.Close(); func() { w.Write(nil) }(); diffrunCall.End() }`}},
		{why: "a handler with more parameters and a result", source: "func Serve(_ http.ResponseWriter, ctx context.Context, " +
			"r *http.Request) error { return nil }\n", functions: []string{"m/p.Serve"},
			has: []string{
				`&diffrunParameter0_, r); defer`,
				"diffrunResult0 := func() (error) { return nil }(); diffrunCall.End(diffrunResult0); return diffrunResult0 }",
			}},
		{why: "handlers that a function makes", source: "func New() []http.HandlerFunc {\n\treturn []http.HandlerFunc{func(w " +
			"http.ResponseWriter, r *http.Request) {}, func(http.ResponseWriter, *http.Request) {\n\t}}\n}\n",
			functions: []string{
				"m/p.New.handler1",
				"m/p.New.handler2",
			}, has: []string{
				"func(diffrunParameter0 http.ResponseWriter, diffrunParameter1 *http.Request) { diffrunCall := diffrunrecorder.Serve(",
			}},
		{why: "an HTTP client", source: "func Validate(r *http.Request) {}\n"},
		{why: "no object", source: "func Validate(name string) field.ErrorList { return nil }\n"},
		{why: "errors of knative", source: "func (w *Widget) Validate(ctx context.Context) *apis.FieldError { return nil }\n",
			near: "it returns *apis.FieldError, which is recorded only if --func names the function"},
		{why: "causes, not exported", source: "func check(w *Widget) []metav1.StatusCause { return nil }\n",
			near: "it returns []metav1.StatusCause, "},
		{why: "a Go error", source: "func (w *Widget) Validate(ctx context.Context) error { return nil }\n", near: "it returns error, "},
		{why: "a Go error of something else", source: "func (w *Widget) Load(ctx context.Context) error { return nil }\n"},
		{why: "texts", source: "func Validate(w *Widget) []string { return nil }\n", near: "it returns []string, "},
		{why: "named: errors of knative, with the old object of the context", named: "m/p.*.Validate",
			source:    "func (w *Widget) Validate(ctx context.Context) *apis.FieldError { return nil }\n",
			functions: []string{"m/p.Widget.Validate"},
			has: []string{
				"defer diffrunCall.Close(); diffrunCall.Baseline(apis.GetBaseline(ctx), apis.IsInDelete(ctx)); diffrunResult0 :=",
				"diffrunCall.End(diffrunResult0)",
			}},
		{why: "named: causes", named: "m/p.*", source: "func check(w *Widget) (bool, []metav1.StatusCause) { return true, nil }\n",
			functions: []string{"m/p.check"}, has: []string{"diffrunCall.End(diffrunResult1); return diffrunResult0, diffrunResult1"}},
		{why: "named by a pattern: a Go error after warnings", named: "m/p.*", source: "func validate(w *Widget) ([]string, " +
			"error) { return nil, nil }\n", functions: []string{"m/p.validate"}, has: []string{"diffrunCall.End(diffrunResult1);"}},
		{why: "named by a pattern: a Go error of something else", named: "m/p.*",
			source: "func (w *Widget) Load(ctx context.Context) error { return nil }\n"},
		{why: "named: a Go error of something else", named: "m/p.Widget.load",
			source: "func (w *Widget) load(ctx context.Context) error { return nil }\n", functions: []string{"m/p.Widget.load"}},
		{why: "named: texts", named: "m/p.check", source: "func check(w *Widget) (problems []string) { return nil }\n",
			functions: []string{"m/p.check"}, has: []string{"diffrunCall.End(diffrunrecorder.Texts(diffrunResult0))"}},
		{why: "named: nothing to record", named: "m/p.check", source: "func check(name string) error { return nil }\n",
			near: "none of its parameters is a pointer to an object"},
		{why: "not exported", source: "func validate(w *Widget) field.ErrorList { return nil }\n"},
		{why: "recover", source: "func Validate(w *Widget) field.ErrorList { recover(); return nil }\n", refused: "recover"},
		{why: "recover in a deferred function", source: "func Validate(w *Widget) field.ErrorList { defer func() { recover() }(); " +
			"return nil }\n", functions: []string{"m/p.Validate"}},
		{why: "no body", source: "func Validate(w *Widget) field.ErrorList\n", refused: "no body"},
	} {
		p := &instrument.Package{
			Path:     "m/p",
			Recorder: "m/recorder",
			Wanted:   func(_ string, exported bool) bool { return exported || tt.named != "" },
		}
		p.Parts, p.Exact = tt.named != "", func(name string) bool { return name == tt.named }
		result, err := p.File("p.go", []byte(head+tt.source))
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		var functions []string
		for _, f := range result.Functions {
			functions = append(functions, f.Name)
		}
		if !slices.Equal(functions, tt.functions) {
			t.Errorf("%s: instrumented are %q", tt.why, functions)
		}
		if got := len(result.Near); tt.near == "" && got > 0 || tt.near != "" &&
			(got != 1 || !strings.Contains(result.Near[0].Reason, tt.near)) {
			t.Errorf("%s: near are %v", tt.why, result.Near)
		}
		if tt.refused != "" && (len(result.Refused) != 1 || !strings.Contains(result.Refused[0].Reason, tt.refused)) {
			t.Errorf("%s: refused are %v", tt.why, result.Refused)
		}
		for _, part := range tt.has {
			if !strings.Contains(string(result.Source), part) {
				t.Errorf("%s: %q is missing in\n%s", tt.why, part, result.Source)
			}
		}
		if result.Source == nil {
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", result.Source, 0); err != nil {
			t.Errorf("%s: %v in\n%s", tt.why, err, result.Source)
		}
		if strings.Contains(tt.why, "hides") {
			continue // an alias is after the last line
		}
		if lines := strings.Count(string(result.Source), "\n"); lines != strings.Count(head+tt.source, "\n") {
			t.Errorf("%s: the lines are others:\n%s", tt.why, result.Source)
		}
	}
}

// TestTest: each function with a *testing.T records which test its goroutine runs.
func TestTest(t *testing.T) {
	const source = `package p

import "testing"

func TestA(t *testing.T) {
	t.Run("b", func(t *testing.T) { t.Parallel() })
	t.Run("c", func(_ *testing.T) {})
}

func FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }
`
	p := &instrument.Package{Path: "m/p", Recorder: "m/recorder"}
	result, err := p.Test("p_test.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(result.Source), "diffrunrecorder.Test("); got != 4 {
		t.Errorf("%d tests say their names in\n%s", got, result.Source)
	}
	if !strings.Contains(string(result.Source), `package p; import diffrunrecorder "m/recorder"`+"\n") {
		t.Errorf("the import is missing in\n%s", result.Source)
	}
}
