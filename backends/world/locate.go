package world

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/policies"
	"github.com/diffrun/diffrun/harness"
)

// denialsKey is the key of a context that collects the denials of policies.
type denialsKey struct{}

// addDenials keeps denials, if they are to be located.
func addDenials(ctx context.Context, denials []policies.Denial) {
	if kept, collects := ctx.Value(denialsKey{}).(*[]policies.Denial); collects {
		*kept = append(*kept, denials...)
	}
}

// locate returns the errors of the definition with their places in the schema, or the denials with the
// policy, its binding, the place in the policy and its line.
func (w World) locate(ctx context.Context, in *harness.Input) ([]harness.Located, error) {
	var located []harness.Located
	if _, hasSchemas := w.Definition.(*customresource.Definition); hasSchemas {
		var err error
		located, err = askDefinition(w, func(of harness.Capabilities) question[[]harness.Located] { return of.Locate })(ctx, in)
		if err != nil || len(located) > 0 {
			return located, err
		}
	}
	var denials []policies.Denial
	if _, err := w.Validate(context.WithValue(ctx, denialsKey{}, &denials), in); err != nil {
		return nil, err
	}
	for _, denial := range denials {
		place := denial.String()
		if !slices.ContainsFunc(located, func(l harness.Located) bool { return l.Declared[0] == place }) {
			located = append(located, harness.Located{Error: denial.Error(), Declared: []string{place}})
		}
	}
	return located, nil
}
