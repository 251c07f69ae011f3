package cases_test

import (
	"context"
	"errors"
	"fmt"
	"testing/fstest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/userfile"
)

// gadgetSuite is a directory with a suite, for instance os.DirFS("testdata").
var gadgetSuite = fstest.MapFS{
	"gadgets/suite.yaml": {Data: []byte(`
name: gadgets
native: {builtin: gadgets}
declarative: {crd: crd.yaml}
cases: [gadget.yaml]
`)},
	"gadgets/gadget.yaml": {Data: []byte(`
target: example.dev/v1 Gadget
objects:
  valid: {apiVersion: example.dev/v1, kind: Gadget, metadata: {name: a, namespace: b}, size: 3}
cases:
- {name: valid, object: valid, want: []}
- {name: below zero, object: valid, patch: {size: -1}}
- {name: large, object: valid, patch: {size: 70}}
`)},
	"gadgets/crd.yaml": {Data: []byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {size: {type: integer, minimum: 0}}
`)},
}

// gadgets are the hand-written validators that the suite names as a builtin.
type gadgets struct{}

var gadgetKind = schema.GroupKind{Group: "example.dev", Kind: "Gadget"}

func (gadgets) Kinds() []schema.GroupKind { return []schema.GroupKind{gadgetKind} }

func (gadgets) Target(schema.GroupKind) (*harness.Target, error) {
	return &harness.Target{Kind: gadgetKind, Scheme: harness.Documents{}, Versions: []harness.Version{{
		GroupVersionKind: gadgetKind.WithVersion("v1"),
		Native:           native.Func[map[string]any](validateGadget),
	}}}, nil
}

func validateGadget(_ context.Context, gadget, _ map[string]any) field.ErrorList {
	size, _ := gadget["size"].(int64)
	switch {
	case size < 0:
		return field.ErrorList{field.Invalid(field.NewPath("size"), size, "must be greater than or equal to 0")}
	case size > 50:
		return field.ErrorList{field.Invalid(field.NewPath("size"), size, "must be less than or equal to 50")}
	}
	return nil
}

// Load reads the suites; Jobs and harness.Run compare the validators for each case.
func ExampleLoad() {
	files := &cases.Files{FS: gadgetSuite}
	places, _, err := files.Find("gadgets")
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := cases.Load(places, cases.Options{
		Now:      time.Now(),
		Builtins: map[string]cases.Builtin{"gadgets": {Natives: gadgets{}}},
	})
	var mistakes userfile.Mistakes
	if errors.As(err, &mistakes) {
		for _, mistake := range mistakes {
			fmt.Println(mistake.File, mistake.Line, mistake.Message)
		}
		return
	}
	defer func() { _ = plan.Close() }()
	for _, suite := range plan.Suites {
		jobs := suite.Jobs(cases.JobOptions{Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions}})
		err := harness.Run(context.Background(), jobs, harness.RunOptions{}, func(r harness.Result) error {
			fmt.Println(r.Case.ID, r.Verdict)
			for _, pair := range r.Pairs {
				if !pair.Explained() {
					fmt.Println(" ", pair.Class, pair.Field())
				}
			}
			return nil
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// gadget.yaml#valid equal
	// gadget.yaml#below zero equivalent
	// gadget.yaml#large different
	//   too-loose size
}
