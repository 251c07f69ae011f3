package controllerruntime_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/harness"
)

// served is the validator that the tests serve: it rejects negative sizes and shrinking.
var served = widgets(func(_ context.Context, object, old *Widget) error {
	var errs field.ErrorList
	if object == nil {
		return field.Forbidden(field.NewPath("metadata", "name"), fmt.Sprintf("a widget of size %d stays", old.Size))
	}
	if object.Size < 0 {
		errs = append(errs, field.Invalid(field.NewPath("size"), object.Size, "must not be negative"))
	}
	if old != nil && object.Size < old.Size {
		errs = append(errs, field.Forbidden(field.NewPath("size"), "may not shrink"))
	}
	return errs.ToAggregate()
})

// The test binary is a program that serves the validator if an environment variable is set.
func TestMain(m *testing.M) {
	if validator := map[string]widgets{"serve": served, "panic": panics}[os.Args[len(os.Args)-1]]; len(os.Args) == 2 && validator != nil {
		if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, controllerruntime.Validator(validator)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A validator returns the same errors in this process, in a child process, and over TLS.
func TestServed(t *testing.T) {
	program, err := exec.New(exec.Options{Command: []string{os.Args[0], "serve"}, Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := program.Close(); err != nil {
			t.Error(err)
		}
	}()
	server := httptest.NewTLSServer(webhook.Handler(controllerruntime.CustomValidator(&Widget{}, custom(served))))
	defer server.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	remote, err := webhook.New(webhook.Options{URL: server.URL, CAFile: ca})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for size := int64(-3); size < 4; size++ {
		for _, old := range []any{nil, "deleted", int64(-2), int64(2)} {
			in := widgetInput(size)
			if old == "deleted" {
				in.Operation, in.Old, in.Object = admissionv1.Delete, in.Object, nil
			} else if old != nil {
				in.Operation, in.Old = admissionv1.Update, widgetInput(old.(int64)).Object
			}
			want, fault := controllerruntime.Validator(served).Validate(t.Context(), in)
			if fault != nil {
				t.Fatal(fault)
			}
			if len(want) > 0 {
				refused++
			}
			for name, backend := range map[string]harness.Backend{"program": program, "webhook": remote} {
				got, fault := backend.Validate(t.Context(), in)
				if diff := cmp.Diff(want, got); diff != "" || fault != nil {
					t.Errorf("%s, %d after %v: fault %v (-want +got):\n%s", name, size, old, fault, diff)
				}
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
