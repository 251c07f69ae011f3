package harness

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
)

// DefaultTimeout is how long a backend may take for one input.
const DefaultTimeout = 10 * time.Second

// Options are what a Harness compares by. The zero value compares strictly:
// no rule, no exception, the default time-out.
type Options struct {
	// Rules say which errors mean the same. Nil: only equal errors do.
	Rules *equivalence.RuleSet
	// Exceptions are the accepted differences. Nil: none are.
	Exceptions *equivalence.Exceptions
	// Ledger counts what Rules and Exceptions explained. Nil: nobody counts.
	Ledger *equivalence.Ledger
	// Timeout bounds each backend on each input; zero: DefaultTimeout.
	Timeout time.Duration
	// Repeat is how often each backend is asked about an input, whose maps are
	// built in another order each time; zero: once.
	Repeat int
	// Self compares a backend with itself, to show what noise there is (A/A).
	Self Self
	// Compare narrows what is compared.
	Compare Compare
	// By is what makes errors equivalent besides Rules.
	By By
}

// Self says which backend takes the place of both. The zero value: each its own.
type Self string

const (
	SelfNative      Self = "native"
	SelfDeclarative Self = "declarative"
)

// Selves lists the backends that can be compared with themselves.
func Selves() []Self { return []Self{SelfNative, SelfDeclarative} }

// Compare says which errors are compared. The zero value is CompareAll.
type Compare string

const (
	CompareAll Compare = "all"
	// CompareCovered leaves out the native errors that are not marked as
	// CoveredByDeclarative, with what matches them. A native validator that marks
	// its errors says so which ones the schema has taken over already.
	CompareCovered Compare = "covered"
)

// Compares lists all scopes of a comparison.
func Compares() []Compare { return []Compare{CompareAll, CompareCovered} }

// By says what errors are recognized by. The zero value is ByText.
type By string

const (
	ByText By = "text"
	// ByOrigin: errors with the same type, field and Origin are equivalent,
	// whatever they say.
	ByOrigin By = "origin"
)

// Bys lists all that errors can be recognized by.
func Bys() []By { return []By{ByText, ByOrigin} }

// validate says all that is wrong with options at once.
func (o Options) validate() error {
	var errs []error
	if o.Timeout < 0 {
		errs = append(errs, fmt.Errorf("the time-out is %v; give a time", o.Timeout))
	}
	if o.Repeat < 0 {
		errs = append(errs, fmt.Errorf("repeat is %d; give a number of times", o.Repeat))
	}
	if o.Self != "" && !slices.Contains(Selves(), o.Self) {
		errs = append(errs, fmt.Errorf("unknown backend %q; accepted: %v", o.Self, Selves()))
	}
	if o.Compare != "" && !slices.Contains(Compares(), o.Compare) {
		errs = append(errs, fmt.Errorf("unknown scope of comparison %q; accepted: %v", o.Compare, Compares()))
	}
	if o.By != "" && !slices.Contains(Bys(), o.By) {
		errs = append(errs, fmt.Errorf("errors are not recognized by %q; accepted: %v", o.By, Bys()))
	}
	return errors.Join(errs...)
}

// matcher compares by the rules that are about a version. No rules at all are not
// the same as rules about other versions: then nothing but equal errors agrees.
func (o Options) matcher(version schema.GroupVersionKind) *equivalence.Matcher {
	rules := o.Rules
	if rules != nil {
		rules = rules.For(version)
	}
	matcher := equivalence.NewMatcher(rules)
	if o.By == ByOrigin {
		return matcher.ByOrigin()
	}
	return matcher
}

// backends gives what validates on each side.
func (s Self) backends(version Version) (native, declarative Backend) {
	switch s {
	case SelfNative:
		return version.Native, version.Native
	case SelfDeclarative:
		return version.Declarative, version.Declarative
	}
	return version.Native, version.Declarative
}
