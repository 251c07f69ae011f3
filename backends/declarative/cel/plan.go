package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
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

// step computes a value; test says whether something holds.
type (
	step func(m *machine) datum
	test func(m *machine) truth
)

// Slots of the machine.
const (
	selfSlot = iota
	oldSlot
	firstLoopSlot
)

// planner turns a checked expression into closures. A nil step or test means that a
// plan cannot be made.
type planner struct {
	checked *ast.AST
	objects map[string]*Shape
	formats Formats
	noOld   bool // oldSelf is an optional, which cel-go unwraps in its own way
	vars    map[string]int
	slots   int
	joins   int
	pattern func(text string) *pattern.Pattern // nil when it is none
	// overloads are the functions of libraries (see planlibrary.go).
	overloads map[string]*functions.Overload
}

// plan makes the plan of a rule, or nil.
func (e *Env) plan(checked *ast.AST, optionalOld bool) (run test, slots int, made guarded) {
	p := &planner{
		checked: checked, objects: e.provider.objects, formats: e.language.formats, noOld: optionalOld,
		vars: map[string]int{self: selfSlot}, slots: firstLoopSlot, pattern: e.pattern, overloads: e.language.overloads,
	}
	if !optionalOld {
		p.vars[oldSelf] = oldSlot
	}
	run, made = p.guarded(checked.Expr())
	return run, p.slots, made
}

// test plans an expression whose value is a bool.
func (p *planner) test(e ast.Expr) test {
	switch e.Kind() {
	case ast.SelectKind:
		if e.AsSelect().IsTestOnly() {
			return p.presence(e.AsSelect(), yes)
		}
	case ast.CallKind:
		if t, known := p.callTest(e); known {
			return t
		}
	case ast.ComprehensionKind:
		if t := p.quantifier(e.AsComprehension()); t != nil {
			return t
		}
	}
	value := p.step(e)
	if value == nil {
		return nil
	}
	return func(m *machine) truth {
		d := value(m)
		return d.truth()
	}
}

// step plans any expression.
func (p *planner) step(e ast.Expr) step {
	switch e.Kind() {
	case ast.LiteralKind:
		return literal(e)
	case ast.IdentKind:
		return p.ident(e.AsIdent())
	case ast.SelectKind:
		if w := p.way(e); w != nil {
			return w.step()
		}
		if c := p.chain(e); c != nil {
			return c.step()
		}
		if s := e.AsSelect(); !s.IsTestOnly() {
			return p.sel(s)
		}
	case ast.ListKind:
		return p.list(e.AsList())
	case ast.MapKind:
		return p.dict(e)
	case ast.ComprehensionKind:
		if s := p.comprehension(e.AsComprehension()); s != nil {
			return s
		}
	case ast.CallKind:
		if s, known := p.call(e); known {
			return s
		}
	default:
		return nil
	}
	if !p.typeOf(e).IsExactType(types.BoolType) {
		return nil
	}
	return p.truthStep(e)
}

// truthStep plans an expression as a test and gives its value.
func (p *planner) truthStep(e ast.Expr) step {
	var t test
	switch e.Kind() {
	case ast.SelectKind:
		t = p.presence(e.AsSelect(), yes)
	case ast.CallKind:
		t, _ = p.callTest(e)
	case ast.ComprehensionKind:
		t = p.quantifier(e.AsComprehension())
	}
	if t == nil {
		return nil
	}
	return func(m *machine) datum { return t(m).datum() }
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
		return constant(datum{kind: aDouble, f: float64(v)})
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
	dictCost  = 32
	loopCost  = 10 // of each round, without its test
)

func (p *planner) ident(name string) step {
	slot, ok := p.vars[name]
	if !ok {
		return nil
	}
	if slot < firstLoopSlot {
		return func(m *machine) datum {
			m.cost += identCost
			return m.slots[slot].read()
		}
	}
	return func(m *machine) datum {
		m.cost += identCost
		return m.slots[slot]
	}
}

// list plans a list that the rule writes. One of literals alone is made once.
func (p *planner) list(l ast.ListExpr) step {
	if len(l.OptionalIndices()) > 0 {
		return nil
	}
	var items []step
	var fixed []datum
	for _, e := range l.Elements() {
		item := p.step(e)
		if item == nil {
			return nil
		}
		items = append(items, item)
		if e.Kind() == ast.LiteralKind {
			fixed = append(fixed, item(nil))
		}
	}
	if len(fixed) == len(items) {
		return func(m *machine) datum {
			m.cost += listCost
			return datum{kind: aList, items: fixed}
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

func isAppend(e ast.Expr, accu string) (ast.Expr, bool) {
	if !isCall(e, operators.Add, 2) {
		return nil, false
	}
	args := e.AsCall().Args()
	if !isIdent(args[0], accu) || args[1].Kind() != ast.ListKind || len(args[1].AsList().Elements()) != 1 || len(args[1].AsList().OptionalIndices()) > 0 {
		return nil, false
	}
	return args[1].AsList().Elements()[0], true
}
