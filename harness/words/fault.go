package words

// FaultReason is the kind of a fault, one of FaultReasons.
type FaultReason string

const (
	// FaultInput: the case cannot be read, decoded, defaulted or converted.
	FaultInput FaultReason = "input"
	// FaultTarget: the suite has no target for the kind or version of the case.
	FaultTarget FaultReason = "target"
	// FaultPanic: the backend panicked.
	FaultPanic FaultReason = "panic"
	// FaultTimeout: the backend did not answer in time.
	FaultTimeout FaultReason = "timeout"
	// FaultError: the backend could not decide.
	FaultError FaultReason = "error"
)

// FaultReasons lists all reasons.
func FaultReasons() []FaultReason {
	return []FaultReason{FaultInput, FaultTarget, FaultPanic, FaultTimeout, FaultError}
}
