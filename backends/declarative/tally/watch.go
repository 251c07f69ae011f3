package tally

import "context"

// Seen is what happened on one input at a place of a schema that declares a keyword.
type Seen struct {
	// Declared is the place of the schema; see Place.
	Declared string
	// Passed and Failed are true if at least one value was right, or wrong. Both are false if a
	// rule could not be evaluated.
	Passed, Failed bool
}

type watching struct{}

// Watch returns a context. Before the validation of an input with it ends, each is called for every place
// that the input reached.
func Watch(ctx context.Context, each func(Seen)) context.Context {
	return context.WithValue(ctx, watching{}, each)
}

func (in *Input) tell(each func(Seen)) {
	in.tally.mu.Lock()
	declared := in.tally.declared
	in.tally.mu.Unlock()
	for _, id := range in.touched {
		if at := declared[id-1]; at != "" {
			m := in.marks[id-1]
			each(Seen{Declared: at, Passed: m.passing > 0, Failed: m.failed})
		}
	}
}
