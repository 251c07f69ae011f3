package harness

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// verdict returns the verdict that follows from a result.
func verdict(r *Result) words.Verdict {
	switch {
	case r.Fault != nil || r.Native.Fault != nil || r.Declarative.Fault != nil:
		return words.Faulted
	case r.Inexpressible != "":
		return words.Inexpressible
	}
	sum := words.Equal
	for _, pair := range r.Pairs {
		switch {
		case pair.Exact():
		case pair.Class == difference.Default && pair.Exception != nil: // not about errors
		case pair.Exception != nil:
			sum = words.Excepted
		case pair.Class.Explained():
			if sum != words.Excepted {
				sum = words.Ratcheting
			}
		case pair.Class == difference.Unstable:
			return words.Unstable // and so are all other differences
		case !pair.Agrees():
			return words.Different
		case sum == words.Equal:
			sum = words.Equivalent
		}
	}
	return sum
}

// unmet compares the native errors with those that the case expects, in the version of the case: in
// other versions the paths may differ.
func unmet(r *Result) []string {
	if !r.Case.Expects() || !r.ofItsOwnVersion() {
		return nil
	}
	if r.Case.Want == nil {
		return unmetDecision(r)
	}
	var messages []string
	native, _ := r.Sides.Titles()
	// An unstable error may be an expected one, and is never an unexpected one.
	given := slices.Concat(r.Native.Errors, r.Native.Unstable)
	taken := make([]int, len(given)) // index of the want, from one
	for i, want := range r.Case.Want {
		if !assign(r.Case.Want, given, taken, i, make([]bool, len(taken))) {
			messages = append(messages, fmt.Sprintf("wanted %s, which %s did not report", want, native))
		}
	}
	for i, err := range r.Native.Errors {
		if taken[i] == 0 {
			message := fmt.Sprintf("%s reported %s at %s, which the case does not want", native, string(err.Type), place(err.Field))
			if err.Detail != "" {
				message += ": " + err.Detail
			}
			messages = append(messages, message)
		}
	}
	return messages
}

// unlooked is unmet for a case that its own version cannot express.
func unlooked(r *Result) []string {
	if !r.Case.Expects() || !r.ofItsOwnVersion() {
		return nil
	}
	native, _ := r.Sides.Titles()
	return []string{
		fmt.Sprintf("the case is written in %s, which cannot express it, so %s was not asked for what the case wants",
			apiname.Target(r.Version), native),
	}
}

// assign finds an error for a want, and reassigns other wants to make room: which errors are met
// must not depend on the order of the wants.
func assign(wants []ExpectedError, errs field.ErrorList, taken []int, want int, tried []bool) bool {
	for i, err := range errs {
		if tried[i] || !wants[want].matches(err) {
			continue
		}
		tried[i] = true
		if taken[i] == 0 || assign(wants, errs, taken, taken[i]-1, tried) {
			taken[i] = want + 1
			return true
		}
	}
	return false
}

// ofItsOwnVersion reports whether the result is in the version of its case. Typed objects have
// none: each version counts.
func (r *Result) ofItsOwnVersion() bool {
	document, isDocument := r.Case.Object.(map[string]any)
	if !isDocument {
		return true
	}
	own, err := versionOf(r.Case, document)
	return err == nil && own == r.Version
}

func (e ExpectedError) matches(err *field.Error) bool {
	return err.Type == e.Type && place(err.Field) == place(e.Field) && strings.Contains(err.Detail, e.Detail)
}

// String returns the expectation as a report shows it.
func (e ExpectedError) String() string {
	text := fmt.Sprintf("%s at %s", string(e.Type), place(e.Field))
	if e.Detail != "" {
		text += fmt.Sprintf(" with %q", e.Detail)
	}
	return text
}

// place names a field for messages. The root is empty, or the string of a nil *field.Path.
func place(path string) string {
	if path == "" || path == (*field.Path)(nil).String() {
		return "the root (no field)"
	}
	return path
}
