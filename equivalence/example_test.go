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
	// The ledger also names rules and exceptions that explained nothing.
	show := func(exception *equivalence.Exception, usage equivalence.Usage) {
		fmt.Println(exception.ID, usage.Position(), "explained", usage.Hits, "unused:", usage.Unused())
	}
	show(exceptions.All()[0], ledger.Usages()[0])
	// Output:
	// spec.paused is too-loose and accepted as paused-is-checked-later
	// spec.replicas is equal by rule minimum
	// spec.selector is too-loose
	// paused-is-checked-later exceptions.yaml:2 explained 1 unused: false
}

// A validator that answers in no fixed order, or with changing texts, is asked several times.
func ExampleCombineAnswers() {
	first := field.ErrorList{field.Required(field.NewPath("a"), ""), field.Invalid(field.NewPath("b"), 1, "is the 3rd of today")}
	second := field.ErrorList{field.Invalid(field.NewPath("b"), 1, "is the 4th of today"), field.Required(field.NewPath("a"), "")}
	answer := equivalence.CombineAnswers(first, second)
	fmt.Println(len(answer.Errors), len(answer.Unstable))
	// Output:
	// 1 2
}

// A rule says with which wordings two errors mean the same. Loading it checks its own examples.
func ExampleLoadRules() {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: even
  why: both say that the number is odd
  type: FieldValueInvalid
  native: must be even
  declarative: is odd
  examples:
    match:
    - [{field: size, detail: must be even}, {field: size, detail: is odd}]
    differ:
    - [{field: size, detail: must be odd}, {field: size, detail: is odd}]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(rule *equivalence.Rule, examples ...equivalence.Example) {
		fmt.Println(rule.Name, rule.Kind, len(examples))
	}
	for _, rule := range rules.All() {
		show(rule, append(rule.Match, rule.Differ...)...)
	}
	// Output:
	// even wording 2
}
