package words

// OmissionReason is why a backend does not see a field.
type OmissionReason string

const (
	// Pruned: the version does not have the field.
	Pruned OmissionReason = "pruned"
	// Ignored: a request of this kind may not set the field, or not to this value.
	Ignored OmissionReason = "ignored"
)
