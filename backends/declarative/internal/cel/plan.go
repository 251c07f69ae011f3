package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// A plan is a rule as closures on Views. It knows what rules mostly do: look at
// fields, compare scalars, loop over lists. It answers "true", and then cel-go
// would answer "true" as well. Whatever else comes out, an error or a false
// included, the rule is left to cel-go, which has the last word on everything that
// a user sees. So a plan may give up wherever it likes, and does so for each value
// and function that it does not know.
//
// A plan also adds up a cost that is never less than what cel-go counts (see
// interpreter/runtimecost.go of cel-go and library/cost.go of
// k8s.io/apiserver/pkg/cel): as long as that is within the limits nobody needs to
// know the exact cost.
//
// Without plans the rules of typed Pods take 40 times as long, and those of HTTPRoutes 35
// times.

// step computes a value; test says whether something holds.
type (
	step func(m *machine) datum
	test func(m *machine) truth
)

// planned is the plan of an expression: a step, or a test if its value is a bool. The zero
// planned is that of an expression that cannot be planned.
type planned struct {
	step step
	test test
}

func (p planned) made() bool { return p.step != nil || p.test != nil }

// Slots of the machine.
const (
	selfSlot = iota
	oldSlot
	firstLoopSlot
)

// planner turns a checked expression into closures. A nil step or test means that a
// plan cannot be made.
type planner struct {
	checked   *ast.AST
	objects   map[string]*Shape
	functions map[string]function
	// vars are the slots of variables. An oldSelf that is an optional has none.
	vars        map[string]int
	optionalOld bool
	slots       int
	pattern     func(text string) *pattern.Pattern // nil when it is none
	// overloads are the functions of libraries (see planlibrary.go).
	overloads map[string]*functions.Overload
}

// plan makes the plan of a rule, or nil. An oldSelf that is an optional can only be asked
// whether there is one: cel-go unwraps it in its own way (see Evaluator.ResolveName).
func (e *Env) plan(checked *ast.AST, optionalOld bool) (run test, slots int) {
	p := &planner{
		checked: checked, optionalOld: optionalOld, objects: e.provider.objects, functions: e.language.functionTable, vars: map[string]int{self: selfSlot},
		slots: firstLoopSlot, pattern: e.pattern, overloads: e.language.overloads,
	}
	if !optionalOld {
		p.vars[oldSelf] = oldSlot
	}
	return p.test(checked.Expr()), p.slots
}

// test plans an expression as one whose value is a bool.
func (p *planner) test(e ast.Expr) test {
	made := p.plan(e)
	if made.step == nil {
		return made.test
	}
	return func(m *machine) truth {
		d := made.step(m)
		return d.truth()
	}
}

// step plans an expression as one whose value is needed.
func (p *planner) step(e ast.Expr) step {
	made := p.plan(e)
	if made.test == nil {
		return made.step
	}
	return func(m *machine) datum { return made.test(m).datum() }
}

// steps plans several expressions. It is false when one cannot be planned.
func (p *planner) steps(all []ast.Expr) ([]step, bool) {
	steps := make([]step, len(all))
	for i, e := range all {
		if steps[i] = p.step(e); steps[i] == nil {
			return nil, false
		}
	}
	return steps, true
}

func (p *planner) plan(e ast.Expr) planned {
	switch e.Kind() {
	case ast.LiteralKind:
		return planned{step: literal(e)}
	case ast.IdentKind:
		return planned{step: p.ident(e.AsIdent())}
	case ast.SelectKind:
		if e.AsSelect().IsTestOnly() {
			return planned{test: p.presence(e.AsSelect())}
		}
		return planned{step: p.selection(e)}
	case ast.ListKind:
		return planned{step: p.list(e.AsList())}
	case ast.MapKind:
		return planned{step: emptyMap(e)}
	case ast.ComprehensionKind:
		if t := p.quantifier(e.AsComprehension()); t != nil {
			return planned{test: t}
		}
		return planned{step: p.comprehension(e.AsComprehension())}
	case ast.CallKind:
		return p.call(e)
	}
	return planned{}
}

// call plans a call as the row of its function says.
func (p *planner) call(e ast.Expr) planned {
	args := arguments(e.AsCall())
	row := p.functions[e.AsCall().FunctionName()]
	if row.plan != nil {
		if made := row.plan(p, e, args); made.made() {
			return made
		}
	}
	if row.library {
		return planned{step: p.libraryCall(e, args, row)}
	}
	return planned{}
}

func (p *planner) typeOf(e ast.Expr) *types.Type { return p.checked.GetType(e.ID()) }

func constant(d datum) step { return func(*machine) datum { return d } }

func literal(e ast.Expr) step {
	switch v := e.AsLiteral().(type) {
	case types.Bool:
		return constant(truthOf(bool(v)).datum())
	case types.Int:
		return constant(intDatum(int64(v)))
	case types.Double:
		return constant(doubleDatum(float64(v)))
	case types.String:
		return constant(textDatum(string(v)))
	}
	return nil
}

// What an identifier, a selection, a call cost at most in cel-go.
const (
	identCost = 2
	callCost  = 2
	listCost  = 12
	// listCallCost is what a function costs that makes a list, beside its items.
	listCallCost = callCost + listCost
	mapCost      = 32
	loopCost     = 10 // of each round, without its test
)

func (p *planner) ident(name string) step {
	slot, ok := p.vars[name]
	if !ok {
		return nil
	}
	return func(m *machine) datum {
		m.cost += identCost
		return m.slots[slot]
	}
}

// list plans a list that the rule writes. One of literals alone is made once.
func (p *planner) list(l ast.ListExpr) step {
	items, ok := p.steps(l.Elements())
	if !ok || len(l.OptionalIndices()) > 0 {
		return nil
	}
	var literals []datum
	for i, e := range l.Elements() {
		if e.Kind() == ast.LiteralKind {
			literals = append(literals, items[i](nil))
		}
	}
	if len(literals) == len(items) {
		return func(m *machine) datum {
			m.cost += listCost
			return datum{kind: aList, items: literals}
		}
	}
	return func(m *machine) datum {
		m.cost += listCost
		made, at := m.newList()
		for _, item := range items {
			d := item(m)
			if d.unknown() {
				return datum{}
			}
			made = append(made, d)
		}
		return m.keep(made, at)
	}
}

// emptyMap plans {}, which rules write for "none", as in self.?labels.orValue({}).
func emptyMap(e ast.Expr) step {
	if e.AsMap().Size() > 0 {
		return nil
	}
	none := datum{kind: aView, v: view.OfJSON(map[string]any{}), shape: &Shape{Kind: Map, Elem: &Shape{Kind: String}}}
	return func(m *machine) datum {
		m.cost += mapCost
		return none
	}
}

// isCall says that an expression calls a function with so many arguments, the
// target included.
func isCall(e ast.Expr, function string, args int) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function && len(arguments(e.AsCall())) == args
}

func arguments(c ast.CallExpr) []ast.Expr {
	if c.IsMemberFunction() {
		return append([]ast.Expr{c.Target()}, c.Args()...)
	}
	return c.Args()
}

func isIdent(e ast.Expr, name string) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == name }

func isLiteral(e ast.Expr, want any) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Value() == want
}

// written is a text that stands in the rule, in one piece or in several.
func written(e ast.Expr) (types.String, bool) {
	if isCall(e, operators.Add, 2) {
		args := arguments(e.AsCall())
		a, ok := written(args[0])
		b, also := written(args[1])
		return a + b, ok && also
	}
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := e.AsLiteral().(types.String)
	return text, ok
}
