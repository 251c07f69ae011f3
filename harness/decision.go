package harness

import "fmt"

// Decision is the answer to a request, without its reasons.
type Decision string

// All decisions.
const (
	Admitted Decision = "admitted"
	Denied   Decision = "denied"
)

// Decisions lists all decisions.
func Decisions() []Decision { return []Decision{Admitted, Denied} }

// decision returns the decision that a validator's errors make.
func (o Outcome) decision() Decision {
	if len(o.Errors)+len(o.Unstable) > 0 {
		return Denied
	}
	return Admitted
}

// unmetDecision compares the native decision with the one that the case expects.
func unmetDecision(r *Result) []string {
	want, got := r.Case.WantDecision, r.Native.decision()
	switch {
	case want == got || r.Native.inconsistent || r.Case.WantOfGuards && r.Unguarded:
		return nil
	case got == Admitted:
		return []string{"the case must be denied, and the native validator admits it"}
	}
	message := "the case must be admitted, and the native validator denies it"
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
