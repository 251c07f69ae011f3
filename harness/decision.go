package harness

import (
	"fmt"

	"github.com/diffrun/diffrun/harness/words"
)

// decision returns the decision that a validator's errors make.
func (o Outcome) decision() words.Decision {
	if len(o.Errors)+len(o.Unstable) > 0 {
		return words.Denied
	}
	return words.Admitted
}

// unmetDecision compares the native decision with the one that the case expects.
func unmetDecision(r *Result) []string {
	native, _ := r.Sides.Titles()
	want, got := r.Case.WantDecision, r.Native.decision()
	switch {
	case want == got || r.Native.inconsistent || r.Case.WantOfGuards && r.Unguarded:
		return nil
	case got == words.Admitted:
		return []string{"the case must be denied, and " + native + " admits it"}
	}
	message := "the case must be admitted, and " + native + " denies it"
	if len(r.Native.Errors) == 0 {
		return []string{message}
	}
	first := r.Native.Errors[0]
	message += fmt.Sprintf(": %s at %s", string(first.Type), place(first.Field))
	if first.Detail != "" {
		message += ": " + first.Detail
	}
	return []string{message}
}
