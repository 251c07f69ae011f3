package plan

import (
	"math"

	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
)

// A step computes a value into an operand; a test computes a truth.
type (
	step func(m *Machine, into *operand)
	test func(m *Machine) truth
)

// valueRef refers to a value. Values that exist already, such as variables and literals, are not copied.
// It is zero if an expression cannot be planned.
type valueRef struct {
	slot int // of a variable
	made func(m *Machine) *operand
}

// at returns the value.
func (p *valueRef) at(m *Machine) *operand {
	if p.made == nil {
		m.cost += identCost
		return &m.slots[p.slot]
	}
	return p.made(m)
}

func (p *valueRef) none() bool { return p.made == nil && p.slot == 0 }

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

// Upper bounds of the costs that cel-go counts.
const (
	identCost = 2
	callCost  = 2
	listCost  = 12
	// listCallCost is the cost of a function that makes a list, without its items.
	listCallCost = callCost + listCost
	mapCost      = 32
	loopCost     = 10 // of each round, without its test
)

// Language is what the rules of one schema may use.
type Language struct {
	*Functions
	Literals
	Objects func(name string) *types.Type // the type of objects that has a name, or nil
	PerCall uint64                        // bounds the cost of one evaluation
}

// Plan is the plan of rules on values of one type. It proves all of them or nothing. It never changes.
type Plan struct {
	conditions conditions
	slots      int
	self       *types.Type
	limit      int64 // of its cost
	partial    bool  // some expressions of the rules are not planned
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
// knows hasValue() of it.
func Make(l Language, self *types.Type, optionalOld bool, rules ...*ast.AST) *Plan {
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

// Whole reports whether a plan knows everything in its rule, so cel-go can make a program of it.
func (p *Plan) Whole() bool { return p != nil && !p.partial }

// Knows reports whether plans know everything in an expression, so cel-go can make a program of it.
func Knows(l Language, checked *ast.AST, optionalOld bool) bool {
	p := newPlanner(l, checked, optionalOld)
	value := p.valueRef(checked.Expr())
	return !value.none() && !p.partial
}

func newPlanner(l Language, checked *ast.AST, optionalOld bool) *planner {
	p := &planner{
		Language:    l,
		checked:     checked,
		optionalOld: optionalOld,
		vars:        map[string]int{Self: selfSlot},
		slots:       firstLoopSlot,
		most:        firstLoopSlot,
	}
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
	return func(m *Machine, into *operand) { into.setTruth(made.test(m)) }
}

// valueRef plans an expression whose value is read. A computed value gets a slot of its own, where it
// stays until it is computed again.
func (p *planner) valueRef(e ast.Expr) valueRef {
	if e.Kind() == ast.IdentKind {
		slot, ok := p.vars[e.AsIdent()]
		if !ok {
			return valueRef{}
		}
		return valueRef{slot: slot}
	}
	value := p.step(e)
	if value == nil {
		return valueRef{}
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
	return e.Kind() == ast.LiteralKind || e.Kind() == ast.ListKind && e.AsList().Size() == 0 || e.Kind() == ast.MapKind &&
		e.AsMap().Size() == 0
}

// constant refers to a value that is computed once.
func constant(value step) valueRef {
	var d operand
	m := Machine{limit: math.MaxInt64}
	value(&m, &d)
	cost := m.cost
	return valueRef{made: func(m *Machine) *operand {
		m.cost += cost
		return &d
	}}
}

// slot takes a slot. The caller frees it by restoring slots, when the planned expression needs none of
// its parts any more.
func (p *planner) slot() int {
	p.slots++
	p.most = max(p.most, p.slots)
	return p.slots - 1
}

// kept stores the value of a step in a slot of its own.
func (p *planner) kept(value step) valueRef {
	slot := p.slot()
	return valueRef{made: func(m *Machine) *operand {
		d := &m.slots[slot]
		value(m, d)
		return d
	}}
}

// valueRefs plans several expressions. It is false if one cannot be planned.
func (p *planner) valueRefs(all []ast.Expr) ([]valueRef, bool) {
	refs := make([]valueRef, len(all))
	for i, e := range all {
		if refs[i] = p.valueRef(e); refs[i].none() {
			return nil, false
		}
	}
	return refs, true
}

// ofOne plans a call that computes a value from an argument.
func (p *planner) ofOne(arg ast.Expr, cost int64, do func(m *Machine, x, into *operand)) planned {
	value := p.valueRef(arg)
	if value.none() {
		return planned{}
	}
	return planned{step: func(m *Machine, into *operand) {
		m.cost += cost
		do(m, value.at(m), into)
	}}
}

// testOfOne plans a call that computes a bool from an argument.
func (p *planner) testOfOne(arg ast.Expr, cost int64, do func(m *Machine, x *operand) truth) planned {
	value := p.valueRef(arg)
	if value.none() {
		return planned{}
	}
	return planned{test: func(m *Machine) truth {
		m.cost += cost
		return do(m, value.at(m))
	}}
}

// ofTwo plans a call that computes a value from two arguments.
func (p *planner) ofTwo(args []ast.Expr, cost int64, do func(m *Machine, x, y, into *operand)) planned {
	x, y := p.two(args)
	if x.none() {
		return planned{}
	}
	return planned{step: func(m *Machine, into *operand) {
		m.cost += cost
		first := x.at(m)
		do(m, first, y.at(m), into)
	}}
}

// testOfTwo plans a call that computes a bool from two arguments.
func (p *planner) testOfTwo(args []ast.Expr, cost int64, do func(m *Machine, x, y *operand) truth) planned {
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

// two plans two arguments. Both are zero if there are others or one cannot be planned.
func (p *planner) two(args []ast.Expr) (x, y valueRef) {
	sides, ok := p.valueRefs(args)
	if !ok || len(args) != 2 {
		return valueRef{}, valueRef{}
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

func (p *planner) typeOf(e ast.Expr) *celtypes.Type { return p.checked.GetType(e.ID()) }

func (p *planner) ident(name string) step {
	slot, ok := p.vars[name]
	if !ok {
		return nil
	}
	return func(m *Machine, into *operand) {
		m.cost += identCost
		*into = m.slots[slot]
	}
}
