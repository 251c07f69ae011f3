package harness

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// DefaultTimeout is how long a backend may take for one input.
const DefaultTimeout = 10 * time.Second

// Options say how a Harness compares. The zero value compares strictly: no rules, no
// exceptions but those of the backends, the default time-out.
type Options struct {
	// Rules say which errors mean the same. Nil: only equal errors agree.
	Rules *equivalence.RuleSet
	// Exceptions are the accepted differences. Nil: none but those of the backends
	// (Capabilities.DefaultExceptions).
	Exceptions *equivalence.Exceptions
	// NoExceptions lets no exception accept a difference, whoever has it.
	NoExceptions bool
	// Ledger counts what Rules and Exceptions explained. Nil: no counts.
	Ledger *equivalence.Ledger
	// Timeout bounds each backend on each input; zero: DefaultTimeout.
	Timeout time.Duration
	// InPlace does all work in the goroutine of the caller, so that nothing reads the objects
	// of a case after Check has returned. A backend hears from its context that its time is
	// up; one that does not listen is waited for. Pairs do not name their place in the schema,
	// because finding it compiles the schema once more, and a large one takes long.
	InPlace bool
	// Repeat is how often each backend validates an input, with the maps in another
	// order each time; zero: once.
	Repeat int
	// Self compares a backend with itself, which shows how stable its answers are.
	Self Self
	// Compare selects the errors that are compared.
	Compare Compare
	// ByOrigin also makes errors with the same type, field and Origin equivalent, whatever their
	// texts are.
	ByOrigin bool
}

// Self names the backend that is compared with itself. The zero value compares native
// with declarative.
type Self string

const (
	SelfNative      Self = "native"
	SelfDeclarative Self = "declarative"
)

// SelfValues lists the backends that can be compared with themselves.
func SelfValues() []Self { return []Self{SelfNative, SelfDeclarative} }

// Compare says which errors are compared. The zero value is CompareAll.
type Compare string

const (
	CompareAll Compare = "all"
	// CompareCovered leaves out native errors that are not marked CoveredByDeclarative,
	// and declarative errors that match them. The mark says that the schema has taken
	// the error over.
	CompareCovered Compare = "covered"
	// CompareVerdict compares whether the two sides accept the object, and nothing else.
	// If both refuse it, no error is compared. If one does, each of its errors is a
	// difference.
	CompareVerdict Compare = "verdict"
)

// CompareValues lists all scopes of a comparison.
func CompareValues() []Compare { return []Compare{CompareAll, CompareCovered, CompareVerdict} }

// validate says all that is wrong with options at once.
func (o Options) validate() error {
	var errs []error
	if o.Timeout < 0 {
		errs = append(errs, fmt.Errorf("the time-out is %v; give a time", o.Timeout))
	}
	if o.Repeat < 0 {
		errs = append(errs, fmt.Errorf("repeat is %d; give a number of times", o.Repeat))
	}
	return errors.Join(append(errs,
		oneof.Check("Self", o.Self, append(SelfValues(), "")...),
		oneof.Check("Compare", o.Compare, append(CompareValues(), "")...))...)
}

// matcher compares by the rules that are about a version. No rules at all are not
// the same as rules about other versions: then nothing but equal errors agrees.
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
