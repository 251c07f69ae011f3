package exec_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// A program is a native backend, given its command. Here it is this test binary, whose main function calls
// Serve.
func ExampleNew() {
	backend, err := exec.New(exec.Options{Command: []string{os.Args[0], "serve"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = backend.Close() }()
	errs, fault := backend.Validate(context.Background(), &harness.Input{
		Request: harness.Request{
			Version:   schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"},
			Operation: admissionv1.Update,
		},
		Object: contract.NewView(map[string]any{"size": int64(1)}),
		Old:    contract.NewView(map[string]any{"size": int64(2)}),
	})
	fmt.Println(errs.ToAggregate(), fault)
	// Output:
	// size: Forbidden: may not shrink <nil>
}

type Gadget struct {
	Size int64 `json:"size"`
}

// Serve turns a validator into a program. In main the streams are os.Stdin and os.Stdout.
func ExampleServe() {
	validator := native.Func[*Gadget](func(_ context.Context, gadget, old *Gadget) field.ErrorList {
		if gadget.Size < 0 {
			return field.ErrorList{field.Invalid(field.NewPath("size"), gadget.Size, "must not be negative")}
		}
		return nil
	})
	stdin := oneLine(`{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "7",
		"kind": {"group": "example.dev", "version": "v1", "kind": "Gadget"}, "name": "g", "operation": "CREATE", "object": {"size": -1}}}`)
	var stdout bytes.Buffer
	if err := exec.Serve(context.Background(), stdin, &stdout, validator); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.ReplaceAll(stdout.String(), ",\"", ",\n\"")) // it is one line
	// Output:
	// {"kind":"AdmissionReview",
	// "apiVersion":"admission.k8s.io/v1",
	// "response":{"uid":"7",
	// "allowed":false,
	// "status":{"metadata":{},
	// "status":"Failure",
	// "message":"Gadget.example.dev \"g\" is invalid: size: Invalid value: -1: must not be negative",
	// "reason":"Invalid",
	// "details":{"name":"g",
	// "group":"example.dev",
	// "kind":"Gadget",
	// "causes":[{"reason":"FieldValueInvalid",
	// "message":"Invalid value: -1: must not be negative",
	// "field":"size"}]},
	// "code":422}}}
}

// oneLine prints a document on one line, as it is sent.
func oneLine(document string) *strings.Reader {
	return strings.NewReader(strings.ReplaceAll(document, "\n", "") + "\n")
}

// Backends that start the same package share its build.
func ExampleBuilds() {
	var builds exec.Builds
	for _, webhook := range []string{"--webhook=widgets", "--webhook=gadgets"} {
		backend, err := exec.New(exec.Options{Command: []string{"go", "run", "./cmd/webhook", webhook}, Dir: "..", Builds: &builds})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(backend.Builds(), backend.Close())
	}
	// Output:
	// true <nil>
	// true <nil>
}
