package explore

import (
	"context"
	"encoding/json"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Input is a request to both validators. Its objects are documents and must not be changed: inputs
// share parts.
type Input struct {
	Object map[string]any
	// Old is the object before an update; nil: Object is created.
	Old map[string]any
	// Stored also asks what becomes of the objects once they are stored, which takes time.
	Stored bool
}

// IsUpdate reports whether the input is an update.
func (in Input) IsUpdate() bool { return in.Old != nil }

// documents returns both objects.
func (in Input) documents() []any { return []any{in.Object, in.Old} }

// objects returns the objects that there are: the new one, and in an update the old one.
func (in Input) objects() []map[string]any {
	if in.IsUpdate() {
		return []map[string]any{in.Object, in.Old}
	}
	return []map[string]any{in.Object}
}

// inputOf returns the input with some objects.
func inputOf(objects []map[string]any) Input {
	in := Input{Object: objects[0]}
	if len(objects) > 1 {
		in.Old = objects[1]
	}
	return in
}

// size is about the length of the input as JSON.
func (in Input) size() int {
	data, err := json.Marshal(in.documents())
	if err != nil {
		return 0
	}
	return len(data)
}

// Ask has both validators decide on an input. It may be called from several goroutines. The error is
// that of the context, or one that ends the exploration.
type Ask func(ctx context.Context, in Input) (Answer, error)

// Answer is what both validators say about an input.
type Answer struct {
	// Undecided is true if a validator could not decide. Its other answers do not count then, but
	// its findings do.
	Undecided bool
	// Accepted reports for each side whether it accepts the input.
	Accepted [2]bool
	// Errors are those of both sides.
	Errors   []Error
	Findings []Finding
	// Executed are the numbers of the places in the code of validators that the input executed, if that is
	// known.
	Executed []int
	// Detail is what the caller wants to know about the input in Options.Observe.
	Detail any
}

// Error is an error of a side.
type Error struct {
	generate.Mistake
	// Behavior is the error without what is particular to the input, with the name of the side.
	Behavior string
	// Alone is true if the side has no other error.
	Alone bool
}

// mistakes returns the errors for the generator.
func (a Answer) mistakes() []generate.Mistake {
	var all []generate.Mistake
	for _, err := range a.Errors {
		all = append(all, err.Mistake)
	}
	return all
}

// accepted reports whether a side accepts the input.
func (a Answer) accepted() bool { return !a.Undecided && (a.Accepted[0] || a.Accepted[1]) }

// Finding is a disagreement that nothing explains, or a fault.
type Finding struct {
	// Signature identifies the disagreement in all inputs that show it.
	Signature string
	// Cause is the signature without the effect: the same difference may change the verdict of one
	// input and not of another one, which is refused for other reasons too.
	Cause string
	// Urgency is the weight of the effect: the greater, the more it matters. Zero: it changes no
	// verdict.
	Urgency int
	// Fault is true if it is not a disagreement: a validator could not decide.
	Fault bool
	// Stored is true if it is about an object that is stored: only an input with Stored shows it.
	Stored bool
}

// Found is a new finding with a small input that shows it. If that is an update, a creation that shows the
// same may follow.
type Found struct {
	Finding
	Input Input
	// Near is an accepted object that differs little from the input; nil: none is known.
	Near map[string]any
	// Change says how the input was made from it, as in "spec.replicas: one below the minimum".
	Change string
	// OldUnstorable is true if today's side would not create the old object (Options.AnyOld): the finding matters only
	// if an older definition stored it.
	OldUnstorable bool
}
