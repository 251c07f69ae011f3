package harness

import (
	"context"
	"slices"
	"sync"
)

// notes are what a backend adds to its errors.
type notes struct {
	mu       sync.Mutex
	warnings []string
	omitted  []Omission
	asked    []Asked
	stored   map[string]any
}

type notesKey struct{}

// AddWarning adds a warning to the answer of a Backend: a message for the user that does not refuse
// the object, such as the warnings of a webhook. Duplicates are dropped. ctx is that of
// Backend.Validate.
func AddWarning(ctx context.Context, warning string) {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok && warning != "" {
		n.mu.Lock()
		defer n.mu.Unlock()
		if !slices.Contains(n.warnings, warning) {
			n.warnings = append(n.warnings, warning)
		}
	}
}

// AddOmissions adds to the answer of a Backend fields of the case that it does not look at. ctx is
// that of Backend.Validate.
func AddOmissions(ctx context.Context, omitted ...Omission) {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.omitted = append(n.omitted, omitted...)
	}
}

// noting returns a context that collects notes.
func noting(ctx context.Context) (context.Context, *notes) {
	n := &notes{}
	return context.WithValue(ctx, notesKey{}, n), n
}

// note copies the notes to an outcome. After a time-out the backend may still add some.
func (n *notes) note(outcome *Outcome) {
	n.mu.Lock()
	defer n.mu.Unlock()
	outcome.Warnings, outcome.Omitted, outcome.Asked = slices.Clone(n.warnings), slices.Clone(n.omitted), slices.Clone(n.asked)
	outcome.stored = n.stored
}

// omittedByBoth moves the omissions that both outcomes have to the result.
func (r *Result) omittedByBoth() {
	native := r.Native.Omitted
	r.Native.Omitted = withoutThese(native, r.Declarative.Omitted)
	for _, omission := range native {
		if slices.Contains(r.Declarative.Omitted, omission) && !slices.Contains(r.Omitted, omission) {
			r.Omitted = append(r.Omitted, omission)
		}
	}
	r.Declarative.Omitted = withoutThese(r.Declarative.Omitted, native)
}

func withoutThese(omitted, others []Omission) []Omission {
	return slices.DeleteFunc(slices.Clone(omitted), func(o Omission) bool { return slices.Contains(others, o) })
}
