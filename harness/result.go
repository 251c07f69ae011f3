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
	// Equal: both backends gave the same errors, or none.
	Equal Verdict = "equal"
	// Equivalent: rules pair all errors that are not the same.
	Equivalent Verdict = "equivalent"
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
	return []Verdict{Equal, Equivalent, Excepted, Different, Unstable, Faulted, Inexpressible}
}

// Result is one case in one version.
type Result struct {
	Suite   string
	Case    *Case
	Version schema.GroupVersionKind
	Verdict Verdict
	// Native and Declarative are what the backends said.
	Native, Declarative Outcome
	// Pairs are the errors of both, paired: equal ones, explained ones and
	// differences, in canonical order.
	Pairs []equivalence.Pair
	// Unmet says how the native errors are not those that the case wants.
	Unmet []string
	// Fault says why the case never reached the backends.
	Fault *Fault
	// Inexpressible says what the version cannot express.
	Inexpressible string
	// Omitted is what the case gives and neither backend saw, in order.
	Omitted []Omission
	// Elapsed is what both validations and the comparison took.
	Elapsed time.Duration
}

// Omission is a field of a case that validation does not see.
type Omission struct {
	Field string
	Why   OmissionReason
}

// OmissionReason says why a field is not seen.
type OmissionReason string

const (
	// Pruned: the version does not have the field.
	Pruned OmissionReason = "pruned"
	// Ignored: a request of this kind may not set the field, or not to this value.
	Ignored OmissionReason = "ignored"
)

// OmissionReasons lists all reasons.
func OmissionReasons() []OmissionReason { return []OmissionReason{Pruned, Ignored} }

// Outcome is what one backend said.
type Outcome struct {
	// Errors are in canonical order, see equivalence.Canonical.
	Errors field.ErrorList
	// Unstable are those that the backend gave on some repeats and not on others
	// (Options.Repeat); they are not in Errors, and agree with nothing.
	Unstable field.ErrorList
	// Given is the first answer as the backend gave it.
	Given field.ErrorList
	// unchecked are the errors of rules that the backend says it did not check.
	unchecked field.ErrorList
	Fault     *Fault
	Elapsed   time.Duration
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
