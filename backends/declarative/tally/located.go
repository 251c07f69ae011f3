package tally

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness/contract"
)

// Located holds where a schema declares the errors of a validation; nil notes nothing. It belongs
// to one goroutine.
type Located struct {
	declared map[*field.Error][]string
}

type locating struct{}

// Locate returns a context. A validator that counts, and validates with this context, adds where its
// schema declares each error.
func Locate(ctx context.Context) (context.Context, *Located) {
	located := &Located{declared: map[*field.Error][]string{}}
	return context.WithValue(ctx, locating{}, located), located
}

// LocatedBy returns the Located that Locate put into a context, or nil.
func LocatedBy(ctx context.Context) *Located {
	located, _ := ctx.Value(locating{}).(*Located)
	return located
}

// Of returns the places of the schema that declare an error, or nil if they are not known; see Place.
func (l *Located) Of(err *field.Error) []string { return l.declared[err] }

// Add notes a place that declares an error. It ignores an empty place.
func (l *Located) Add(err *field.Error, declared string) {
	if l == nil || declared == "" || slices.Contains(l.declared[err], declared) {
		return
	}
	l.declared[err] = append(l.declared[err], declared)
}

// Moved notes that an error replaces a different one.
func (l *Located) Moved(from, to *field.Error) {
	if l != nil && l.declared[from] != nil {
		l.declared[to] = l.declared[from]
	}
}

// Located returns the Located of the errors of an input, or nil.
func (in *Input) Located(ctx context.Context) *Located {
	if in == nil {
		return nil
	}
	return LocatedBy(ctx)
}

// Declared returns the place of the schema that has a keyword. It is empty for the zero ID.
func (in *Input) Declared(id ID) string {
	if in == nil || id == 0 {
		return ""
	}
	in.tally.mu.Lock()
	defer in.tally.mu.Unlock()
	return in.tally.declared[id-1]
}

// LocateErrors calls a function that validates by schemas that count (declarative.Options.Coverage), and returns its
// errors, each with the places of the schema that declare it, as in Place.
func LocateErrors(ctx context.Context, validate func(context.Context) (field.ErrorList, error)) ([]contract.Located, error) {
	ctx, places := Locate(ctx)
	errs, err := validate(ctx)
	if err != nil {
		return nil, err
	}
	located := make([]contract.Located, 0, len(errs))
	for _, err := range errs {
		located = append(located, contract.Located{Error: err, Declared: places.Of(err)})
	}
	return located, nil
}
