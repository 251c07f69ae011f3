package tally

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Located holds where a schema declares the errors of a validation; nil notes nothing. It belongs
// to one goroutine.
type Located struct {
	declared map[*field.Error][]string
}

type locating struct{}

// Locate gives a context. A validator that counts, and validates with it, adds where its schema
// declares each error.
func Locate(ctx context.Context) (context.Context, *Located) {
	located := &Located{declared: map[*field.Error][]string{}}
	return context.WithValue(ctx, locating{}, located), located
}

// LocatedBy returns what Locate put into a context, or nil.
func LocatedBy(ctx context.Context) *Located {
	located, _ := ctx.Value(locating{}).(*Located)
	return located
}

// Of gives the places of the schema that declare an error, see Counted; nil: none is known.
func (l *Located) Of(err *field.Error) []string { return l.declared[err] }

// Add notes a place that declares an error. An empty one is none.
func (l *Located) Add(err *field.Error, declared string) {
	if l == nil || declared == "" || slices.Contains(l.declared[err], declared) {
		return
	}
	l.declared[err] = append(l.declared[err], declared)
}

// Moved notes that an error stands for another one.
func (l *Located) Moved(from, to *field.Error) {
	if l != nil && l.declared[from] != nil {
		l.declared[to] = l.declared[from]
	}
}

// Located returns what the errors of an input are noted in, or nil.
func (in *Input) Located(ctx context.Context) *Located {
	if in == nil {
		return nil
	}
	return LocatedBy(ctx)
}

// Declared returns the place of the schema that has a keyword. It is empty for zero, which is no
// keyword.
func (in *Input) Declared(id ID) string {
	if in == nil || id == 0 {
		return ""
	}
	in.tally.mu.Lock()
	defer in.tally.mu.Unlock()
	return in.tally.declared[id-1]
}
