package words

// Decision is the answer to a request, without its reasons.
type Decision string

// All decisions.
const (
	Admitted Decision = "admitted"
	Denied   Decision = "denied"
)

// Decisions lists all decisions.
func Decisions() []Decision { return []Decision{Admitted, Denied} }
