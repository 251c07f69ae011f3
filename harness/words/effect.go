package words

// Effect is what an API user would notice on one input if the schema replaced the native validator:
// whether only one side refuses it.
type Effect string

const (
	// NoEffect: both sides accept the input, or both refuse it, with any errors.
	NoEffect Effect = "none"
	// Admits: the schema side accepts what the native side refuses.
	Admits Effect = "admits"
	// Refuses: the schema side refuses what the native side accepts.
	Refuses Effect = "refuses"
	// Stuck: the schema side refuses a StoredRequest that the native side accepts, so an object
	// that is stored already can be neither repaired nor deleted.
	Stuck Effect = "stuck"
)

// Effects lists all effects, the most urgent first. The effect of an input that was not decided is
// empty: it is a fault, or inexpressible, or a repeat changed the verdict.
func Effects() []Effect { return []Effect{Stuck, Admits, Refuses, NoEffect} }

// ChangesVerdict reports whether the user of the API notices the effect.
func (e Effect) ChangesVerdict() bool { return e == Stuck || e == Admits || e == Refuses }
