package harness

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// Verdict is what a comparison came to.
type Verdict string

const (
	// Equal: both backends gave the same errors, or none, as far as errors are compared
	// (Options.Compare).
	Equal Verdict = "equal"
	// Equivalent: rules pair all errors that are not the same.
	Equivalent Verdict = "equivalent"
	// Ratcheted: what rules do not pair, the schema drops because an update did not change the
	// value (KEP-4008).
	Ratcheted Verdict = "ratcheting"
	// Excepted: what rules do not pair, exceptions accept.
	Excepted Verdict = "excepted"
	// Different: a difference remains.
	Different Verdict = "different"
	// Unstable: a backend contradicted itself (Options.Repeat, Options.Self), so
	// that nothing can be said about a difference.
	Unstable Verdict = "unstable"
	// Faulted: a backend could not decide, or the case cannot be read.
	Faulted Verdict = "fault"
	// Inexpressible: the version has no words for the case; nothing was
	// compared, and the case counts as no input.
	Inexpressible Verdict = "inexpressible"
)

// Verdicts lists all verdicts, from the best to the worst.
func Verdicts() []Verdict {
	return []Verdict{Equal, Equivalent, Ratcheted, Excepted, Different, Unstable, Faulted, Inexpressible}
}

// Result is the comparison of one case in one version.
type Result struct {
	Suite   string
	Case    *Case
	Version schema.GroupVersionKind
	Verdict Verdict
	// Effect compares the verdicts of the backends; empty where the input was not decided.
	Effect Effect
	// Sides names the backends.
	Sides Sides
	// Native and Declarative are the answers of the backends: of the first and of the second side.
	Native, Declarative Outcome
	// Pairs are all errors of both backends, paired and in canonical order: equal
	// errors, explained ones and differences.
	Pairs []equivalence.Pair
	// TestOnly are differences that only the call of a test shows (Compare): if a client
	// sends the object, the native backend of the target and the schema agree about these errors.
	TestOnly []equivalence.Pair
	// Unmet says how the native errors differ from those that the case wants.
	Unmet []string
	// Fault says why no backend was called.
	Fault *Fault
	// Inexpressible says what the version cannot express.
	Inexpressible string
	// Omitted are the fields of the case that neither backend saw, in order.
	Omitted []Omission
	// Declared is what the schema of the version declares; nil: it is not known.
	Declared equivalence.Declarations
	// Unguarded says that a definition refused the input before any webhook, policy or mutation
	// was asked, on each side that has some.
	Unguarded bool
	// Elapsed is the time of both validations and the comparison.
	Elapsed time.Duration
	// OutsidePath says that there are native errors and none is at a field of the object, below the path
	// of the case.
	OutsidePath bool
}

// Omission is a field of a case that neither backend sees.
type Omission struct {
	Field string
	Why   OmissionReason
}

// OmissionReason says why the backends do not see a field.
type OmissionReason string

const (
	// Pruned: the version does not have the field.
	Pruned OmissionReason = "pruned"
	// Ignored: a request of this kind may not set the field, or not to this value.
	Ignored OmissionReason = "ignored"
)

// OmissionReasons lists all reasons.
func OmissionReasons() []OmissionReason { return []OmissionReason{Pruned, Ignored} }

// Outcome is the answer of one backend.
type Outcome struct {
	// Errors are in canonical order, see equivalence.Canonical.
	Errors field.ErrorList
	// Unstable are the errors that only some repeats gave (Options.Repeat). They are
	// not in Errors and agree with nothing.
	Unstable field.ErrorList
	// Given is the first answer, in the order of the backend.
	Given field.ErrorList
	// unchecked are the errors of rules that the backend says it did not check.
	unchecked field.ErrorList
	// unratcheted are the errors of an update with those at values that did not change.
	unratcheted field.ErrorList
	// inconsistent says that the backend accepted the input at one time and refused it at
	// another (Options.Repeat).
	inconsistent bool
	// stored is what would be stored of an accepted object (AddStored), and unsteady are the fields that
	// have another value there on a repeat.
	stored   map[string]any
	unsteady []*field.Error
	// Warnings are texts for the user that refuse nothing, in the order of the backend.
	Warnings []string
	// Omitted are the fields of the case that only this backend did not look at.
	Omitted []Omission
	// Asked are the guards of a world that were asked (Capabilities.Guards), in their order.
	Asked   []Asked
	Fault   *Fault
	Elapsed time.Duration
}

// NamedOutcome is the answer of a backend with its name.
type NamedOutcome struct {
	Name string
	Outcome
}

// Outcomes gives the answers of both backends, the first side first.
func (r *Result) Outcomes() []NamedOutcome {
	first, second := r.Sides.Names()
	return []NamedOutcome{{first, r.Native}, {second, r.Declarative}}
}

// Differences are the pairs that are not the same on both sides, explained or
// not.
func (r *Result) Differences() []equivalence.Pair {
	var differences []equivalence.Pair
	for _, pair := range r.Pairs {
		if !pair.Exact() {
			differences = append(differences, pair)
		}
	}
	return differences
}
