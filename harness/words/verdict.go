package words

// Verdict is the result of a comparison.
type Verdict string

const (
	// Equal: both backends returned the same errors, or none, as far as errors are compared
	// (harness.Options).
	Equal Verdict = "equal"
	// Equivalent: rules pair all errors that are not equal.
	Equivalent Verdict = "equivalent"
	// Ratcheting: the schema drops the remaining errors because an update did not change the value
	// (KEP-4008).
	Ratcheting Verdict = "ratcheting"
	// Excepted: exceptions accept the remaining differences.
	Excepted Verdict = "excepted"
	// Different: a difference remains.
	Different Verdict = "different"
	// Unstable: a backend contradicted itself (harness.Options), so a difference
	// proves nothing.
	Unstable Verdict = "unstable"
	// Faulted: a backend could not decide, or the case cannot be read.
	Faulted Verdict = "fault"
	// Inexpressible: the version cannot express the case; nothing was compared, and the case is not
	// counted as an input.
	Inexpressible Verdict = "inexpressible"
)

// Verdicts lists all verdicts, from the best to the worst.
func Verdicts() []Verdict {
	return []Verdict{Equal, Equivalent, Ratcheting, Excepted, Different, Unstable, Faulted, Inexpressible}
}
