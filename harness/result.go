package harness

import (
	"iter"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Result is the comparison of one case in one version.
type Result struct {
	Suite   string
	Case    *Case
	Version schema.GroupVersionKind
	Verdict words.Verdict
	// Effect compares the verdicts of the backends; empty: the input was not decided.
	Effect words.Effect
	// Stored is the request on a stored object that the input is; empty: it is none, or the schema side
	// does not refuse it.
	Stored words.StoredRequest
	// Stuck lists the requests that the schema side refuses, if the harness looked at a stored object of
	// a case (Options.Stored). The result is that of one of them.
	Stuck []words.StoredRequest
	// Ratcheted reports that the schema side accepts an update because it ignores unchanged values. If the
	// effect is Refuses, it is an update of the object once it is stored; if it is Admits, the update itself,
	// and both sides report each native error for the old object, or an exception accepts it.
	Ratcheted bool
	// Sides names the backends.
	Sides Sides
	// Native and Declarative are the answers of the first and the second side.
	Native, Declarative Outcome
	// Pairs are all errors of both backends, paired and in canonical order: equal
	// errors, explained ones and differences.
	Pairs []equivalence.Pair
	// TestOnly are differences that only the call of a test shows (Compare): if a client sends the
	// object, the native backend of the target and the schema agree on these errors.
	TestOnly []equivalence.Pair
	// Unmet describes how the native errors differ from those that the case wants.
	Unmet []string
	// Fault is the reason why no backend was called.
	Fault *contract.Fault
	// Inexpressible is what the version cannot express.
	Inexpressible string
	// Omitted are the fields of the case that neither backend saw, in order.
	Omitted []contract.Omission
	// Declared is what the schema of the version declares; nil: it is not known.
	Declared difference.Declarations
	// Undefined are the fields of native errors that the definition of the version does not have. Results of
	// recorded runs have none.
	Undefined []contract.Undefined
	// ObjectTexts are the texts of the objects of the case that occur in messages about what nothing explains, if the
	// result is that of a recorded run, which has no objects. Messages that differ only in them have one
	// cause. Otherwise they are nil.
	ObjectTexts []string
	// CaseDigest is Case.Digest of the case, if the result is that of a recorded run. Otherwise it is empty.
	CaseDigest string
	// Unguarded reports whether a definition refused the input before any webhook, policy or
	// mutation was asked, on each side that has any.
	Unguarded bool
	// Elapsed is the time of both validations and the comparison.
	Elapsed time.Duration
	// OutsidePath reports whether there are native errors and all lie outside the fields of the
	// object at the path of the case.
	OutsidePath bool
}

// Outcome is the answer of one backend.
type Outcome struct {
	// Errors are in canonical order, see fielderror.Canonical.
	Errors field.ErrorList
	// Unstable are the errors that only some repeats returned (Options.Repeat). They are not in
	// Errors and agree with nothing.
	Unstable field.ErrorList
	// Given is the first answer, in the order of the backend.
	Given field.ErrorList
	// unchecked are the errors of rules that the backend reports as not checked.
	unchecked field.ErrorList
	// withoutRatcheting are the errors of an update including those at unchanged values.
	withoutRatcheting field.ErrorList
	// inconsistent reports whether the backend both accepted and refused the input
	// (Options.Repeat).
	inconsistent bool
	// stored is the document that would be stored (contract.Notes), and unstableFields are the fields whose
	// value in it changes on a repeat.
	stored         map[string]any
	admitted       map[string]any // before it was stored as storedAs (contract.Notes)
	storedAs       string
	converted      []contract.Converted
	unstableFields []*field.Error
	// Warnings are messages for the user that refuse nothing, in the order of the backend.
	Warnings []string
	// Executed are the places of the code of a validator that the input executed (contract.Notes.Executed).
	Executed map[int]int
	// AccessReviews are the rights that a validator asked for (contract.Notes.AccessReviews).
	AccessReviews []contract.AccessReview
	// Omitted are the fields of the case that only this backend did not see.
	Omitted []contract.Omission
	// located are the errors of guards with their places.
	located []contract.Located
	// Asked are the guards of a world that were asked (contract.Capabilities.Guards), in their order.
	Asked   []contract.Asked
	Fault   *contract.Fault
	Elapsed time.Duration
}

// Outcomes returns the labels of both sides with their answers, the first side first.
func (r *Result) Outcomes() iter.Seq2[string, Outcome] {
	return func(yield func(string, Outcome) bool) {
		if first, second := r.Sides.Labels(); yield(first, r.Native) {
			yield(second, r.Declarative)
		}
	}
}

// Differences returns the pairs whose sides are not equal, explained or not.
func (r *Result) Differences() []equivalence.Pair {
	var differences []equivalence.Pair
	for _, pair := range r.Pairs {
		if !pair.Exact() {
			differences = append(differences, pair)
		}
	}
	return differences
}

// Faults returns the faults of a result with their sources: that of the "case", then those of its
// backends, as in "native backend". Sides.Source has them for sentences.
func (r *Result) Faults() iter.Seq2[string, *contract.Fault] {
	return func(yield func(string, *contract.Fault) bool) {
		if r.Fault != nil && !yield("case", r.Fault) {
			return
		}
		first, second := r.Sides.Names()
		if r.Native.Fault != nil && !yield(sourceOf(first), r.Native.Fault) {
			return
		}
		if r.Declarative.Fault != nil {
			yield(sourceOf(second), r.Declarative.Fault)
		}
	}
}
