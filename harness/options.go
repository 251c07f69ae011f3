package harness

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// Options configure how a Harness compares. The zero value compares strictly: no rules, only the
// exceptions of the backends, the default time-out.
type Options struct {
	// Rules define which errors mean the same. Nil: only equal errors agree.
	Rules *equivalence.RuleSet
	// Exceptions are the accepted differences. Nil: only those of the backends
	// (contract.Capabilities.DefaultExceptions).
	Exceptions *equivalence.Exceptions
	// NoExceptions disables all exceptions, including those of the backends.
	NoExceptions bool
	// Ledger counts what Rules and Exceptions explained. Nil: no counts.
	Ledger *equivalence.Ledger
	// Timeout bounds each backend on each input; zero: DefaultTimeout.
	Timeout time.Duration
	// AskAgain is called when a backend did not answer in time. It is then asked once more, because the machine may
	// have been busy. Nil: the time-out is a fault.
	AskAgain func(in *Input, late *contract.Fault)
	// InPlace does all work in the goroutine of the caller, so that nothing reads the objects of a
	// case after Check has returned. A backend that ignores the end of its context is waited for.
	// Pairs do not name their place in the schema, because finding it compiles the schema again,
	// which is slow for a large one.
	InPlace bool
	// Repeat is how often each backend validates an input, each time with the maps in a different
	// order; zero: once.
	Repeat int
	// Self is NativeName or DeclarativeName to compare this backend with itself, which shows how
	// stable its answers are.
	Self string
	// Stored also asks the schema side about requests on the objects that a cluster has before or after
	// a case (StoredRequests), if they are documents. What only it refuses is a further Result.
	Stored bool
	// Compare selects the errors that are compared.
	Compare words.Compare
	// ByOrigin also makes errors with the same type, field and Origin equivalent, whatever their
	// texts are.
	ByOrigin bool
}

// validate returns all mistakes in the options at once.
func (o Options) validate() error {
	var errs []error
	if o.Timeout < 0 {
		errs = append(errs, fmt.Errorf("the time-out is %v; it must not be negative", o.Timeout))
	}
	if o.Repeat < 0 {
		errs = append(errs, fmt.Errorf("repeat is %d; it must not be negative", o.Repeat))
	}
	return errors.Join(append(errs,
		oneof.Check("Self", o.Self, contract.NativeName, contract.DeclarativeName, ""),
		oneof.Check("Compare", o.Compare, append(words.CompareValues(), "")...))...)
}

// matcher returns the Matcher with the rules for a version. A nil set stays nil: it also disables
// the built-in rules, which an empty set keeps.
func (o Options) matcher(version schema.GroupVersionKind) *equivalence.Matcher {
	rules := o.Rules
	if rules != nil {
		rules = rules.For(version)
	}
	matcher := equivalence.NewMatcher(rules)
	if o.ByOrigin {
		return matcher.ByOrigin()
	}
	return matcher
}

// backends returns the backend of each side.
func (o Options) backends(version Version) (native, declarative Backend) {
	switch o.Self {
	case contract.NativeName:
		return version.Native, version.Native
	case contract.DeclarativeName:
		return version.Declarative, version.Declarative
	}
	return version.Native, version.Declarative
}
