package plan

import (
	"math"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// A step computes a value and puts it into a datum; a test computes a truth.
type (
	step func(m *Machine, into *datum)
	test func(m *Machine) truth
)

// place says where a value is: nothing is copied that is there already, as variables and literals
// are. It is zero if an expression cannot be planned.
type place struct {
	slot int // of a variable
	made func(m *Machine) *datum
}

// at finds the value.
func (p *place) at(m *Machine) *datum {
	if p.made == nil {
		m.cost += identCost
		return &m.slots[p.slot]
	}
	return p.made(m)
}

func (p *place) none() bool { return p.made == nil && p.slot == 0 }

// planned is the plan of an expression: a step, or a test if its value is a bool. It is zero if
// the expression cannot be planned.
type planned struct {
	step step
	test test
}

// Slots of the machine. The first is none.
const (
	_ = iota
	selfSlot
	oldSlot
	firstLoopSlot
)

// Names of the variables of a rule.
const (
	Self    = "self"
	OldSelf = "oldSelf"
)

// Language is what the rules of one schema may use.
type Language struct {
	*Functions
	Literals
	Objects func(name string) *decl.Type // the type of objects that has a name, or nil
	PerCall uint64                       // bounds the cost of one evaluation
}

// Plan is the plan of rules on values of one type. It proves all of them or nothing. It never changes.
type Plan struct {
	conditions conditions
	slots      int
	self       *decl.Type
	limit      int64 // of its cost
	partial    bool  // not all of the rules is planned
}

// planner turns a checked expression into closures. A step or test is nil if an expression cannot
// be planned.
type planner struct {
	Language
	checked *ast.AST
	// vars are the slots of variables. An oldSelf that is an optional has none.
	vars        map[string]int
	optionalOld bool
	slots       int  // that are taken
	most        int  // slots that were taken at a time
	partial     bool // an operand of the expression is not planned
	shares      bool // several rules are planned, which may have conditions in common
}

// Make makes the plan of rules on values of a type, or nil. If oldSelf is an optional, a plan only
// knows hasValue() of it, because cel-go unwraps it (see Evaluator.ResolveName of package cel).
func Make(l Language, self *decl.Type, optionalOld bool, rules ...*ast.AST) *Plan {
	p := newPlanner(l, nil, optionalOld)
	p.shares = len(rules) > 1
	var all conditions
	for _, rule := range rules {
		p.checked = rule
		p.require(rule.Expr(), yes, &all)
	}
	if all.unplanned() {
		return nil
	}
	all.group()
	return &Plan{all, p.most, self, int64(min(l.PerCall, math.MaxInt64)), p.partial}
}

// Whole reports whether a plan knows all that is in its rule, so that cel-go can make a program of it.
func (p *Plan) Whole() bool { return p != nil && !p.partial }

// Knows reports whether plans know all that is in an expression, so that cel-go can make a program
// of it.
func Knows(l Language, checked *ast.AST, optionalOld bool) bool {
	p := newPlanner(l, checked, optionalOld)
	value := p.place(checked.Expr())
	return !value.none() && !p.partial
}

func newPlanner(l Language, checked *ast.AST, optionalOld bool) *planner {
	p := &planner{Language: l, checked: checked, optionalOld: optionalOld, vars: map[string]int{Self: selfSlot}, slots: firstLoopSlot, most: firstLoopSlot}
	if !optionalOld {
		p.vars[OldSelf] = oldSlot
	}
	return p
}

// test plans an expression as one whose value is a bool.
func (p *planner) test(e ast.Expr) test {
	made := p.plan(e)
	if made.step == nil {
		return made.test
	}
	value := p.kept(made.step)
	return func(m *Machine) truth { return value.at(m).truth() }
}

// step plans an expression as one whose value is needed.
func (p *planner) step(e ast.Expr) step {
	made := p.plan(e)
	if made.test == nil {
		return made.step
	}
	return func(m *Machine, into *datum) { into.setTruth(made.test(m)) }
}

// place plans an expression as one whose value is looked at. What is computed gets a slot of its
// own, in which it stays until it is computed again.
func (p *planner) place(e ast.Expr) place {
	if e.Kind() == ast.IdentKind {
		slot, ok := p.vars[e.AsIdent()]
		if !ok {
			return place{}
		}
		return place{slot: slot}
	}
	value := p.step(e)
	if value == nil {
		return place{}
	}
	if from, kind := p.converts(e); !from.none() {
		return p.converted(from, kind, p.kept(value))
	}
	if isConstant(e) {
		return constant(value)
	}
	return p.kept(value)
}

// isConstant reports whether an expression is a literal, [] or {}.
func isConstant(e ast.Expr) bool {
	return e.Kind() == ast.LiteralKind || e.Kind() == ast.ListKind && e.AsList().Size() == 0 || e.Kind() == ast.MapKind && e.AsMap().Size() == 0
}

// constant is the place of a value that is computed once.
func constant(value step) place {
	var d datum
	m := Machine{limit: math.MaxInt64}
	value(&m, &d)
	cost := m.cost
	return place{made: func(m *Machine) *datum {
		m.cost += cost
		return &d
	}}
}

// slot takes a slot. It is free again when what is planned needs none of its parts any more: then
// slots becomes what it was before.
func (p *planner) slot() int {
	p.slots++
	p.most = max(p.most, p.slots)
	return p.slots - 1
}

// kept gives the value of a step a slot of its own.
func (p *planner) kept(value step) place {
	slot := p.slot()
	return place{made: func(m *Machine) *datum {
		d := &m.slots[slot]
		value(m, d)
		return d
	}}
}

// places plans several expressions. It is false when one cannot be planned.
func (p *planner) places(all []ast.Expr) ([]place, bool) {
	places := make([]place, len(all))
	for i, e := range all {
		if places[i] = p.place(e); places[i].none() {
			return nil, false
		}
	}
	return places, true
}

// ofOne plans a call that makes something of the value of an argument.
func (p *planner) ofOne(arg ast.Expr, cost int64, do func(m *Machine, x, into *datum)) planned {
	value := p.place(arg)
	if value.none() {
		return planned{}
	}
	return planned{step: func(m *Machine, into *datum) {
		m.cost += cost
		do(m, value.at(m), into)
	}}
}

// testOfOne is ofOne of a call that gives a bool.
func (p *planner) testOfOne(arg ast.Expr, cost int64, do func(m *Machine, x *datum) truth) planned {
	value := p.place(arg)
	if value.none() {
		return planned{}
	}
	return planned{test: func(m *Machine) truth {
		m.cost += cost
		return do(m, value.at(m))
	}}
}

// ofTwo plans a call that makes something of the values of two arguments.
func (p *planner) ofTwo(args []ast.Expr, cost int64, do func(m *Machine, x, y, into *datum)) planned {
	x, y := p.two(args)
	if x.none() {
		return planned{}
	}
	return planned{step: func(m *Machine, into *datum) {
		m.cost += cost
		first := x.at(m)
		do(m, first, y.at(m), into)
	}}
}

// testOfTwo is ofTwo of a call that gives a bool.
func (p *planner) testOfTwo(args []ast.Expr, cost int64, do func(m *Machine, x, y *datum) truth) planned {
	x, y := p.two(args)
	if x.none() {
		return planned{}
	}
	return planned{test: func(m *Machine) truth {
		m.cost += cost
		first := x.at(m)
		return do(m, first, y.at(m))
	}}
}

// two plans two arguments. Both places are zero if there are others or one cannot be planned.
func (p *planner) two(args []ast.Expr) (x, y place) {
	sides, ok := p.places(args)
	if !ok || len(args) != 2 {
		return place{}, place{}
	}
	return sides[0], sides[1]
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

// call plans a call by the row of its function.
func (p *planner) call(e ast.Expr) planned {
	args := Arguments(e.AsCall())
	switch row := p.table[e.AsCall().FunctionName()]; {
	case row.plan != nil:
		return row.plan(p, e, args)
	case row.library:
		return p.libraryCall(e, args)
	}
	return planned{}
}

func (p *planner) typeOf(e ast.Expr) *types.Type { return p.checked.GetType(e.ID()) }

func literal(e ast.Expr) step {
	switch v := e.AsLiteral().(type) {
	case types.Bool:
		return func(_ *Machine, into *datum) { into.setTruth(truthOf(bool(v))) }
	case types.Int:
		return func(_ *Machine, into *datum) { into.setInt(int64(v)) }
	case types.Double:
		return func(_ *Machine, into *datum) { into.setDouble(float64(v)) }
	case types.String:
		return func(_ *Machine, into *datum) { into.setText(string(v)) }
	}
	return nil
}

// Upper bounds of the costs that cel-go counts.
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
	return func(m *Machine, into *datum) {
		m.cost += identCost
		*into = m.slots[slot]
	}
}

// list plans a list in the rule. A list of literals is made once.
func (p *planner) list(l ast.ListExpr) step {
	items, ok := p.places(l.Elements())
	if !ok || len(l.OptionalIndices()) > 0 {
		return nil
	}
	var literals []datum
	for i, e := range l.Elements() {
		if e.Kind() == ast.LiteralKind {
			literals = append(literals, *items[i].at(&Machine{}))
		}
	}
	if len(literals) == len(items) {
		return func(m *Machine, into *datum) {
			m.cost += listCost
			into.setList(literals)
		}
	}
	return func(m *Machine, into *datum) {
		m.cost += listCost
		made := m.list(len(items))
		for i := range items {
			d := items[i].at(m)
			if d.unknown() {
				into.giveUp()
				return
			}
			made = append(made, *d)
		}
		into.setList(made)
	}
}

// emptyMap plans {}, as in self.?labels.orValue({}).
func emptyMap(e ast.Expr) step {
	if e.AsMap().Size() > 0 {
		return nil
	}
	none := datum{kind: aView, v: view.OfJSON(map[string]any{}), typ: &decl.Type{Kind: decl.Map, Elem: &decl.Type{Kind: decl.String}}}
	return func(m *Machine, into *datum) {
		m.cost += mapCost
		*into = none
	}
}

// IsCall reports whether an expression calls a function with a number of arguments, including the
// target.
func IsCall(e ast.Expr, function string, args int) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function && len(Arguments(e.AsCall())) == args
}

// Arguments returns the arguments of a call, beginning with the target of a method.
func Arguments(c ast.CallExpr) []ast.Expr {
	if c.IsMemberFunction() {
		return append([]ast.Expr{c.Target()}, c.Args()...)
	}
	return c.Args()
}

func isIdent(e ast.Expr, name string) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == name }

func isLiteral(e ast.Expr, want any) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Value() == want
}

// written returns a text that is a literal, or a sum of literals.
func written(e ast.Expr) (types.String, bool) {
	if IsCall(e, operators.Add, 2) {
		args := Arguments(e.AsCall())
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
