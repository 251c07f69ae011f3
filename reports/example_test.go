package reports_test

import (
	"bytes"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
)

// A reporter gets results one by one; here there is one.
func ExampleNew() {
	reporter, err := reports.New("text", os.Stdout, reports.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	native := field.Invalid(field.NewPath("spec", "replicas"), -1, "must be greater than or equal to 0")
	result := harness.Result{
		Case: &harness.Case{
			ID:     "deployment.yaml#replicas below zero",
			Source: "deployment.yaml:12",
			Why:    "the first value outside the range",
			Object: map[string]any{},
		},
		Version: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
		Verdict: words.Different,
		Effect:  words.Admits,
		Native:  harness.Outcome{Errors: field.ErrorList{native}},
		Pairs:   []equivalence.Pair{{Native: native, Class: difference.TooLoose}},
	}
	var summary harness.Summary
	summary.Add(result)
	for _, err := range []error{
		reporter.Begin(reports.Header{Version: "v0.1.0"}),
		reporter.Result(result),
		reporter.End(reports.Footer{Summary: summary}),
	} {
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// ✗ deployment.yaml#replicas below zero
	//   deployment.yaml:12: the first value outside the range
	//   apps/v1 Deployment  CREATE  effect: admits
	//     too-loose  spec.replicas
	//       native       FieldValueInvalid  -1  must be greater than or equal to 0
	//       declarative  no such error
	//
	//   target              inputs  admits  equal  equivalent  excepted  different  fault
	// ✗ apps/v1 Deployment       1       1      ·           ·         ·          1      ·
	//
	// 1 input of 1 case: 1 admits; 1 different (1 too-loose).
	// next: make the schema and the validator agree, or accept a reviewed difference
	//       in the exceptions file of the suite; what only the schema accepts blocks a
	//       later rollback, what only it refuses breaks existing users.
	//
	// admits: the schema accepts what the native validator refuses
	//    1×  Deployment  spec.replicas  deployment.yaml#replicas below zero
	//
	// what the words mean
	//   too-loose  the schema lacks an error of the native validator
	//   https://github.com/diffrun/diffrun/blob/main/docs/glossary.md
}

// A recorded run is read as a whole by Read, or played to a reporter of another format.
func ExamplePlay() {
	var recorded bytes.Buffer
	reporter, err := reports.New("json", &recorded, reports.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, err := range []error{
		reporter.Begin(reports.Header{Version: "v0.1.0"}),
		reporter.End(reports.Footer{Incomplete: true}),
	} {
		if err != nil {
			fmt.Println(err)
		}
	}
	data := recorded.Bytes()

	var run reports.Run
	if run, err = reports.Read(bytes.NewReader(data)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(run.Results), "results; incomplete:", run.Incomplete)

	for _, format := range reports.Formats() {
		var drawn bytes.Buffer
		var to reports.Reporter
		if to, err = reports.New(format, &drawn, reports.Options{}); err == nil {
			err = reports.Play(bytes.NewReader(data), to)
		}
		if err != nil || drawn.Len() == 0 {
			fmt.Println(format, "is empty:", err)
		}
	}
	// Output:
	// 0 results; incomplete: true
}
