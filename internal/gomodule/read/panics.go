package read

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// PanicType is the type of sites where the validator panics.
const PanicType = "panic"

// The panics of Go, with the texts that it has for them.
const (
	nilPointer = "invalid memory address or nil pointer dereference"
	noItem     = "index out of range"
	noSlice    = "slice bounds out of range"
	byZero     = "integer divide by zero"
	nilMap     = "assignment to entry in nil map"
)

// nonNil notes that a pointer is not nil, or the program panics, and returns what it is then.
func (a *activation) nonNil(s *state, v value, pos token.Pos) value {
	switch x := v.(type) {
	case place:
		if isPointer(x.typ) {
			a.require(s, x.has, pos, nilPointer)
		}
	case choice:
		if _, isNil := x.then.(nothing); isNil {
			x = choice{not(x.when), x.otherwise, x.then}
		}
		if _, isNil := x.otherwise.(nothing); isNil {
			a.require(s, x.when, pos, nilPointer)
			return a.nonNil(s, x.then, pos)
		}
	}
	return v
}

// divisor notes that a whole number by which the program divides is not zero, or it panics.
func (a *activation) divisor(s *state, op token.Token, v value, pos token.Pos) {
	t := typeOf(v)
	if op != token.QUO && op != token.REM || t == nil {
		return
	}
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
		a.require(s, not(a.compare(token.EQL, v, known{constant.MakeInt64(0), t}, pos)), pos, byZero)
	}
}

// require notes a condition without which the program panics, and the site of the panic, if nothing that was asked before
// excludes it.
func (a *activation) require(s *state, c *condition, pos token.Pos, text string) {
	before := s.path
	asked := before.facts(true)
	open := slices.DeleteFunc(s.assume(c), func(part *condition) bool { return implied(part, asked) })
	mayBeImplied := func(part *condition) bool { return part.mayBeImplied(asked) }
	if panics := not(and(open...)); before.decided(panics) != no && !slices.ContainsFunc(open, mayBeImplied) {
		site := Site{Pos: a.at(pos), Type: PanicType, Text: text, implicit: true}
		a.panics = append(a.panics, a.fail(&state{path: before.with(panics, false)}, site, yes).all...)
	}
}

// assume notes a condition without which a path ends, and returns the parts that the path does not have.
func (s *state) assume(c *condition) (open []*condition) {
	parts := []*condition{c}
	if c.operator == operators.LogicalAnd {
		parts = c.parts
	}
	for _, part := range parts {
		if !s.path.implies(part) {
			open = append(open, part)
			s.need(part)
		}
	}
	return open
}

// need adds a condition without which the program panics.
func (s *state) need(c *condition) {
	if c != yes {
		s.path = s.path.with(c, false)
		atoms := s.path[len(s.path)-1].atoms
		atoms[len(atoms)-1].needed = true
	}
}

// implies reports whether a path has a condition, and not only because another error would mask it.
func (p path) implies(c *condition) bool {
	facts := p.facts(false)
	return slices.ContainsFunc(facts, func(fact *condition) bool { return fact.id == c.id }) || implied(c, facts)
}

// facts returns the conditions of a path; those that are there only because another error would mask it if masks is true.
func (p path) facts(masks bool) (all []*condition) {
	for _, f := range p {
		for _, a := range f.atoms {
			switch {
			case a.masks && !masks:
			case a.condition.operator == operators.LogicalAnd:
				all = append(all, a.condition.parts...)
			default:
				all = append(all, a.condition)
			}
		}
	}
	return all
}

// implied reports whether facts compare a number with constants in a way that a comparison with another one follows. A text
// that is split has a first part.
func implied(c *condition, facts []*condition) bool {
	if c.expr == nil {
		return false
	}
	of, operator, bound := celexpr.ComparisonOf(c.expr)
	if of == nil {
		return false
	}
	n, ok := celexpr.ValueOf(bound).(int64)
	if !ok || !slices.Contains([]string{operators.NotEquals, operators.Greater, operators.GreaterEquals}, operator) {
		return false
	}
	isSize := celexpr.SizeOf(of) != nil
	if isSize && n == 0 && operator == operators.Greater && isSplit(celexpr.SizeOf(of)) {
		return true
	}
	return slices.ContainsFunc(facts, func(fact *condition) bool {
		asked, than := comparedWith(fact, of)
		switch asked {
		case operators.Equals:
			return operator == operators.NotEquals && than != n || operator == operators.Greater && than > n
		case operators.GreaterEquals:
			return than > n
		case operators.Greater:
			return than >= n
		case operators.Less:
			return operator == operators.NotEquals && than <= n
		case operators.LessEquals:
			return operator == operators.NotEquals && than < n
		case operators.NotEquals:
			return than == n && (operator == operators.NotEquals || operator == operators.Greater && isSize && n == 0)
		}
		return false
	})
}

// comparedWith returns the operator and the constant with which a fact compares an expression; an empty one: it does not.
func comparedWith(fact *condition, of celexpr.Expr) (operator string, n int64) {
	if fact.expr == nil {
		return "", 0
	}
	left, operator, right := celexpr.ComparisonOf(fact.expr)
	if left == nil || !sameExpr(left, of) {
		return "", 0
	}
	n, ok := celexpr.ValueOf(right).(int64)
	if !ok {
		return "", 0
	}
	return operator, n
}

func isSplit(list celexpr.Expr) bool {
	return list.Kind() == celast.CallKind && list.AsCall().FunctionName() == "split"
}

// mayBeImplied reports whether a condition that a list has an item may follow from facts: they ask for the size of the list in
// a way of which it is not known what it says of the index, or about what the index is computed from.
func (c *condition) mayBeImplied(facts []*condition) bool {
	list, at := indexed(c)
	if list == nil {
		return false
	}
	from := sourcesOf(at)
	return slices.ContainsFunc(facts, func(fact *condition) bool {
		return fact.asks(list) || slices.ContainsFunc(from, fact.has)
	})
}

// sourcesOf returns the fields and variables of loops from which an index is computed.
func sourcesOf(at celexpr.Expr) (all []celexpr.Expr) {
	inner := facts{} // what fields are selected of
	for part := range celexpr.Parts(at) {
		if part.Kind() == celast.SelectKind {
			inner.add(part.AsSelect().Operand())
		}
	}
	for part := range celexpr.Parts(at) {
		isVariable := part.Kind() == celast.IdentKind && part.AsIdent() != "self" && part.AsIdent() != "oldSelf"
		if isVariable || part.Kind() == celast.SelectKind && !inner.has(part) {
			all = append(all, part)
		}
	}
	return all
}

// asks reports whether a condition asks for the size of a list by more than a comparison with a constant.
func (c *condition) asks(list celexpr.Expr) bool {
	if c.operator != "" {
		return slices.ContainsFunc(c.parts, func(part *condition) bool { return part.asks(list) })
	}
	size := celexpr.Call("size", list)
	operator, _ := comparedWith(c, size)
	return c.has(size) && (operator == "" || isSplit(list))
}
