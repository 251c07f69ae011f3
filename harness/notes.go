package harness

import (
	"context"
	"slices"
	"sync"
)

// notes are what a backend says of an input besides errors.
type notes struct {
	mu       sync.Mutex
	warnings []string
	omitted  []Omission
	asked    []Asked
	stored   map[string]any
}

type notesKey struct{}

// AddWarning adds a warning to the answer that a Backend is about to give: a text for the
// user that does not refuse the object, such as the warnings of a webhook. It is called
// with the context of Backend.Validate. A warning that is there already is not added.
func AddWarning(ctx context.Context, warning string) {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok && warning != "" {
		n.mu.Lock()
		defer n.mu.Unlock()
		if !slices.Contains(n.warnings, warning) {
			n.warnings = append(n.warnings, warning)
		}
	}
}

// AddOmissions adds fields of the case that a Backend does not look at to the answer that
// it is about to give. It is called with the context of Backend.Validate.
func AddOmissions(ctx context.Context, omitted ...Omission) {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.omitted = append(n.omitted, omitted...)
	}
}

// noting lets a backend take notes.
func noting(ctx context.Context) (context.Context, *notes) {
	n := &notes{}
	return context.WithValue(ctx, notesKey{}, n), n
}

// note adds the notes to an outcome. The backend may still take some.
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
