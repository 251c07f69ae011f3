package equivalence_test

import (
	"fmt"
	"log"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// The errors of a hand-written validator and of a schema are compared: one line is equal by a rule, one is
// accepted by an exception, one is left.
func Example() {
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		log.Fatal(err)
	}
	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", []byte(`
- id: paused-is-checked-later
  target: apps/* Deployment
  class: too-loose
  field: spec.paused
  why: a controller checks it
  owner: sig-apps
  issue: https://github.com/kubernetes/kubernetes/issues/1
  expires: 2027-06-30
`), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		log.Fatal(err)
	}

	spec := field.NewPath("spec")
	native := field.ErrorList{
		field.Invalid(spec.Child("replicas"), -1, "must be greater than or equal to 0"),
		field.Forbidden(spec.Child("paused"), "may not be paused"),
		field.Required(spec.Child("selector"), ""),
	}
	declarative := field.ErrorList{
		field.Invalid(spec.Child("replicas"), -1, "spec.replicas in body should be greater than or equal to 0"),
	}

	ledger := equivalence.NewLedger(rules, exceptions)
	pairs := equivalence.NewMatcher(rules).Match(native, declarative)
	pairs = exceptions.Explain(equivalence.Subject{
		GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
		Operation:        "CREATE",
	}, pairs)
	ledger.Record(pairs)

	for _, pair := range pairs {
		switch {
		case pair.Rule != nil:
			fmt.Println(pair.Field(), "is equal by rule", pair.Rule.Name)
		case pair.Exception != nil:
			fmt.Println(pair.Field(), "is", pair.Class, "and accepted as", pair.Exception.ID)
		default:
			fmt.Println(pair.Field(), "is", pair.Class)
		}
	}
	for _, usage := range ledger.Usages() {
		fmt.Println(usage.Rule+usage.Exception, "explained", usage.Hits)
	}
	// Output:
	// spec.paused is too-loose and accepted as paused-is-checked-later
	// spec.replicas is equal by rule minimum
	// spec.selector is too-loose
	// paused-is-checked-later explained 1
}
