package harness

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// verdict sums up what the stages left in a result.
func verdict(r *Result) Verdict {
	switch {
	case r.Fault != nil || r.Native.Fault != nil || r.Declarative.Fault != nil:
		return Faulted
	case r.Inexpressible != "":
		return Inexpressible
	}
	sum := Equal
	for _, pair := range r.Pairs {
		switch {
		case pair.Exact():
		case pair.Exception != nil:
			sum = Excepted
		case pair.Rule == nil:
			return Different
		case sum == Equal:
			sum = Equivalent
		}
	}
	return sum
}

// unmet compares the native errors with those that the case wants, in the
// version that the case is written in: in others the paths may differ.
func unmet(r *Result) []string {
	if r.Case.Want == nil || !r.ofItsOwnVersion() {
		return nil
	}
	var messages []string
	unexpected := slices.Clone(r.Native.Errors)
	for _, want := range r.Case.Want {
		at := slices.IndexFunc(unexpected, want.matches)
		if at < 0 {
			messages = append(messages, fmt.Sprintf("wanted %s, which the native validator did not give", want))
			continue
		}
		unexpected = slices.Delete(unexpected, at, at+1)
	}
	for _, err := range unexpected {
		messages = append(messages, fmt.Sprintf("the native validator gave %s at %s, which the case does not want: %s", err.Type, err.Field, err.Detail))
	}
	return messages
}

// ofItsOwnVersion says whether the result is of the version that its case is
// written in. Typed objects have none of their own: each version counts.
func (r *Result) ofItsOwnVersion() bool {
	document, isDocument := r.Case.Object.(map[string]any)
	if !isDocument {
		return true
	}
	own, err := versionOf(r.Case, document)
	return err == nil && own == r.Version
}

func (e ExpectedError) matches(err *field.Error) bool {
	return err.Type == e.Type && err.Field == e.Field && strings.Contains(err.Detail, e.Detail)
}

// String gives the expectation as a report shows it.
func (e ExpectedError) String() string {
	text := fmt.Sprintf("%s at %s", string(e.Type), e.Field)
	if e.Detail != "" {
		text += fmt.Sprintf(" with %q", e.Detail)
	}
	return text
}
