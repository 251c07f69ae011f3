package cel

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// A rule that is false on a value that an update did not change is no error; one that
// cannot be evaluated there is one. So the API server runs all rules always. Of most
// rules the checked expression shows that they cannot break on data that fits its
// schema: they only look at fields that are required or that they asked for with has,
// and call what is defined for every value of a type. Such a rule is total, and need not
// be run where nobody would hear that it is false.
//
// What is not proven here counts as breaking: indexes and keys that were not asked for,
// arithmetic that can overflow, conversions and parsers, values whose type is known
// only when the rule runs, optionals, and strings that their format makes something else.

// Total says what a rule needs so as never to break.
type Total struct {
	// Cost bounds what one evaluation and the making of its message cost, on a value that
	// its schema fits.
	Cost uint64
	// Needs are the fields with a default that must be set, as ways from the value: names,
	// and EachItem and EachValue for what is in a list or map.
	Needs [][]string
	// Effort is about how many steps an evaluation takes, where each list that the rule
	// itself iterates has a few items.
	Effort int
}

// Steps of a way that stand for all that is in a list or a map.
const (
	EachItem  = "@items"
	EachValue = "@values"
)

// Total says that the rule cannot break on a value that its schema fits and where what
// it Needs is set: it is true or false, within the limit of a call. Rules that look at
// oldSelf are never total.
func (p *Program) Total() (Total, bool) {
	if p.total == nil {
		return Total{}, false
	}
	return *p.total, true
}

// totality looks for what can break in a rule.
type totality struct {
	checked *ast.AST
	pattern func(text string) bool
	vars    map[string]known
	names   int // that were given to variables
	steps   int // that were looked at; there may be mostSteps
	needs   [][]string
	affixes bool // it calls startsWith or endsWith
}

// mostSteps bounds the search, which looks at both sides of && and || twice where the
// order matters.
const mostSteps = 4000

// known is what is known of an expression.
type known struct {
	total bool // it does not break
	plain bool // and is of its type, which is not dyn, and not null
	shape *Shape
	elem  *Shape   // of the items of a list that the rule made
	path  string   // what it is called: the same for the same value; "" for what has no name
	way   []string // from self, if it is a part of it
	// yes and no are what holds besides when it is true, and when it is false.
	yes, no facts

	bounded   bool // an int from low to high
	low, high int64
}

// facts are what is known to be there. impossible facts follow from what never is.
type facts struct {
	all        []fact
	impossible bool
}

// fact says that what path names is there, and has so many items if it is a list.
type fact struct {
	path  string
	items int64
}

func (f facts) and(g facts) facts {
	return facts{all: slices.Concat(f.all, g.all), impossible: f.impossible || g.impossible}
}

// or is what follows from either.
func (f facts) or(g facts) facts {
	switch {
	case f.impossible:
		return g
	case g.impossible:
		return f
	}
	var both facts
	for _, x := range f.all {
		if n, ok := g.find(x.path); ok {
			both.all = append(both.all, fact{x.path, min(x.items, n)})
		}
	}
	return both
}

// find gives the most items that are known to be at a path.
func (f facts) find(path string) (items int64, ok bool) {
	for _, x := range f.all {
		if x.path == path {
			items, ok = max(items, x.items), true
		}
	}
	return items, ok
}

// total finds out whether a checked rule on values of a shape can break; its cost is
// left open. It is nil when it can. affixes says that it looks for some.
func (e *Env) total(checked *ast.AST, s *Shape) (total *Total, affixes bool) {
	if !s.Sure {
		return nil, false
	}
	t := &totality{checked: checked, pattern: func(text string) bool { return e.pattern(text) != nil }}
	t.vars = map[string]known{self: t.value(known{path: self}, s)}
	if whole := t.look(checked.Expr(), facts{}); !whole.total || !whole.plain {
		return nil, false
	}
	return &Total{Needs: t.needs, Effort: effort(checked.Expr())}, t.affixes
}

// value fills in what is known of a value of the object, which is there and no null.
func (t *totality) value(k known, s *Shape) known {
	k.shape = s
	switch s.Kind {
	case Bool, Int, Double, String, Object, Map, List:
		k.total, k.plain = s.Sure, s.Sure
	case Dyn:
		k.total = s.Sure
	}
	return k
}

// look finds out what is known of an expression, given what is there.
func (t *totality) look(x ast.Expr, given facts) known {
	if t.steps++; t.steps > mostSteps {
		return known{}
	}
	switch x.Kind() {
	case ast.LiteralKind:
		return literalOf(x)
	case ast.IdentKind:
		return t.vars[x.AsIdent()]
	case ast.SelectKind:
		return t.selection(x.AsSelect(), given)
	case ast.ListKind:
		return t.list(x, given)
	case ast.CallKind:
		return t.call(x, given)
	case ast.ComprehensionKind:
		return t.loop(x.AsComprehension(), given)
	}
	return known{}
}

func literalOf(x ast.Expr) known {
	k := known{total: true, plain: true}
	switch v := x.AsLiteral().(type) {
	case types.Null:
		k.plain = false
	case types.Bool:
		k.yes.impossible, k.no.impossible = v == types.False, v == types.True
	case types.Int:
		k.low, k.high, k.bounded = int64(v), int64(v), true
	}
	return k
}

// selection looks at x.y and has(x.y).
func (t *totality) selection(s ast.SelectExpr, given facts) known {
	in := t.look(s.Operand(), given)
	if !in.plain || in.shape == nil {
		return known{}
	}
	part := known{path: joined(in.path, s.FieldName())}
	var shape *Shape
	there := false
	switch in.shape.Kind {
	case Map:
		shape = in.shape.Elem
	case Object:
		f := in.shape.field(s.FieldName())
		if f == nil {
			return known{}
		}
		shape, part.way = f.Shape, wayTo(in, f.Name)
		there = f.Required && !f.Shape.Nullable && !f.StripsZero
		if !s.IsTestOnly() && !there && f.Defaulted && !f.Shape.Nullable && !f.StripsZero && !t.has(part, given) {
			t.need(part.way)
			there = true
		}
	default:
		return known{}
	}
	value := t.value(part, shape)
	if s.IsTestOnly() {
		// To ask for data of the wrong type is an error too.
		k := known{total: value.total, plain: value.total}
		k.yes.all = []fact{{part.path, 0}}
		return k
	}
	if !there && !t.has(part, given) {
		return known{}
	}
	if in.shape.Kind == Map && shape.Nullable {
		return known{}
	}
	return value
}

func (t *totality) has(part known, given facts) bool {
	_, ok := given.find(part.path)
	return ok || given.impossible
}

// joined names a part of what has a name.
func joined(path, part string) string {
	if path == "" || part == "" {
		return ""
	}
	return path + "." + part
}

func wayTo(in known, step string) []string { return append(slices.Clone(in.way), step) }

func (t *totality) need(way []string) {
	if !slices.ContainsFunc(t.needs, func(known []string) bool { return slices.Equal(known, way) }) {
		t.needs = append(t.needs, way)
	}
}

// list looks at a list that the rule writes.
func (t *totality) list(x ast.Expr, given facts) known {
	l := x.AsList()
	if len(l.OptionalIndices()) > 0 {
		return known{}
	}
	for _, item := range l.Elements() {
		if !t.look(item, given).plain {
			return known{}
		}
	}
	return known{total: true, plain: true}
}
