package tally

import "context"

// Seen is what one input did at a place of a schema that declares a keyword.
type Seen struct {
	// Declared is the place of the schema, see Counted.
	Declared string
	// Passed and Failed say that at least one value was right, or wrong. Neither: a rule
	// could not be evaluated.
	Passed, Failed bool
}

type watching struct{}

// Watch gives a context. What its inputs do is told to each, one place at a time, before the
// validation of an input ends.
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
