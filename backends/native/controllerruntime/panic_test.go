package controllerruntime_test

import (
	"context"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// panics is a validator with mistakes, by the size of a widget.
var panics = widgets(func(_ context.Context, object, _ *Widget) error {
	switch object.Size {
	case 1:
		var nothing *Widget
		nothing.Size++
	case 2:
		_ = []int{}[object.Size]
	case 3:
		regexp.MustCompile(strings.Repeat("(", int(object.Size)-2))
	}
	return nil
})

// TestPanics: a webhook that panics refuses, as the API server sees it, and the error says where in the code of the user, from
// whatever serves it.
func TestPanics(t *testing.T) {
	program, err := exec.New(exec.Options{Command: []string{os.Args[0], "panic"}, Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := program.Close(); err != nil {
			t.Error(err)
		}
	}()
	server := httptest.NewServer(webhook.Handler(controllerruntime.Validator(panics)))
	defer server.Close()
	remote, err := webhook.New(webhook.Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	bare := httptest.NewServer(admission.WithValidator(runtime.NewScheme(), panics))
	defer bare.Close()
	unknown, err := webhook.New(webhook.Options{URL: bare.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why   string
		size  int64
		says  string
		place string // after the package
	}{
		{"no pointer", 1, "panic: runtime error: invalid memory address or nil pointer dereference [recovered]", "panic_test.go:27 "},
		{"an index", 2, "panic: runtime error: index out of range [2] with length 0 [recovered]", "panic_test.go:29 "},
		{"in a function of Go: the line is the caller's", 3, "panic: regexp: Compile(`(`): error parsing regexp: " +
			"missing closing ): `(` [recovered]", "panic_test.go:31 "},
	} {
		for name, backend := range map[string]harness.Backend{
			"Validator":       controllerruntime.Validator(panics),
			"CustomValidator": controllerruntime.CustomValidator(&Widget{}, custom(panics)),
			"Handler":         controllerruntime.Handler(admission.WithValidator(runtime.NewScheme(), panics)),
			"a program":       program, "served": remote, "a server of its own": unknown,
		} {
			outcome := harness.Ask(t.Context(), backend, widgetInput(tt.size), contract.DefaultTimeout)
			if outcome.Fault != nil || len(outcome.Errors) != 1 || !fielderror.IsPanic(outcome.Errors[0]) ||
				outcome.Errors[0].Detail != tt.says || outcome.Errors[0].Field != "" {
				t.Errorf("%s, %s: fault %v, errors %v", tt.why, name, outcome.Fault, outcome.Errors)
				continue
			}
			want := "github.com/diffrun/diffrun/backends/native/controllerruntime_test/" + tt.place
			if name == "a server of its own" { // whose stack nobody sees
				want = ""
			}
			if got := fielderror.PanicPlace(outcome.Errors[0]); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
				t.Errorf("%s, %s: the place is %q, want %s", tt.why, name, got, want)
			}
			if outcome := harness.Ask(t.Context(), backend, widgetInput(5), contract.DefaultTimeout); outcome.Fault != nil ||
				len(outcome.Errors) > 0 {
				t.Errorf("%s, the next one: fault %v, errors %v", name, outcome.Fault, outcome.Errors)
			}
		}
	}
}
