package cel

import (
	"slices"

	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// dict plans a map that a rule writes: {} for "none", or texts by different names, such as
// labels.
func (p *planner) dict(e ast.Expr) step {
	shape := labelsShape()
	if e.AsMap().Size() == 0 {
		none := datum{kind: aView, v: view.OfJSON(map[string]any{}), shape: shape}
		return func(m *machine) datum {
			m.cost += dictCost
			return none
		}
	}
	var names []string
	var values []step
	for _, part := range e.AsMap().Entries() {
		entry := part.AsMapEntry()
		name, ok := written(entry.Key())
		value := p.step(entry.Value())
		if !ok || entry.Key().Kind() != ast.LiteralKind || entry.IsOptional() || slices.Contains(names, string(name)) || value == nil {
			return nil
		}
		names, values = append(names, string(name)), append(values, value)
	}
	return func(m *machine) datum {
		m.cost += dictCost
		made := make(map[string]any, len(names))
		for i, name := range names {
			d := values[i](m)
			if d.kind != aText {
				return datum{}
			}
			made[name] = d.s
		}
		return datum{kind: aView, v: view.OfJSON(made), shape: shape}
	}
}
