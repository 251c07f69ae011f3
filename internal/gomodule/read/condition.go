package read

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// condition is a condition on the object. Conditions are never changed, and share their parts.
type condition struct {
	// operator is LogicalAnd or LogicalOr; empty: an expression.
	operator string
	parts    []*condition
	expr     celexpr.Expr
	// id is the same for equal conditions. size is how many parts their expressions have.
	id   uint64
	size int
	// opposite is computed once.
	opposite *condition
	// errors are those whose existence the source asks by the condition, and whose absence by its opposite.
	errors *failures
	absent bool
}

// largest is how many parts a condition may have: a larger one is not read.
const largest = 3000

// isLarge reports whether an expression has more parts than a condition may have.
func isLarge(e celexpr.Expr) bool { return celexpr.DigestOf(e).Parts > largest }

// unreadLarge is the variable that stands for conditions that are larger than they may be.
const unreadLarge = unreadName + "Large"

var (
	yes = &condition{operator: operators.LogicalAnd, id: 1}
	no  = &condition{operator: operators.LogicalOr, id: 2}
	// tooLarge stands for conditions that are larger than they may be.
	tooLarge = &condition{expr: celexpr.Name(unreadLarge), id: 3, size: 1}
)

func init() {
	yes.opposite, no.opposite = no, yes
	tooLarge.opposite = tooLarge
}

// that returns the condition that an expression is true.
func that(e celexpr.Expr) *condition {
	if value, ok := celexpr.ValueOf(e).(bool); ok && e.Kind() == ast.LiteralKind {
		if value {
			return yes
		}
		return no
	}
	if args := celexpr.ArgsOf(e, operators.LogicalNot); args != nil && args[0].Kind() == ast.LiteralKind {
		return not(that(args[0]))
	}
	digest := celexpr.DigestOf(e)
	if digest.Parts > largest {
		return tooLarge
	}
	return &condition{expr: e, id: digest.Hash | 4, size: digest.Parts}
}

// and returns the condition that all hold.
func and(all ...*condition) *condition { return joined(operators.LogicalAnd, yes, no, all) }

// or returns the condition that one holds.
func or(all ...*condition) *condition { return joined(operators.LogicalOr, no, yes, all) }

// joined joins conditions by an operator: each once, and without what the others decide.
func joined(operator string, neutral, deciding *condition, all []*condition) *condition {
	all = slices.DeleteFunc(slices.Clone(all), func(one *condition) bool { return one == neutral })
	if len(all) == 1 {
		return all[0]
	}
	var parts []*condition
	has := map[uint64]bool{}
	for _, one := range all {
		of := []*condition{one}
		if one.operator == operator {
			of = one.parts
		}
		for _, part := range of {
			if part == deciding || has[not(part).id] {
				return deciding
			}
			if part != neutral && !has[part.id] {
				has[part.id] = true
				parts = append(parts, part)
			}
		}
	}
	parts = decided(parts, has)
	switch {
	case parts == nil:
		return neutral
	case slices.Contains(parts, deciding):
		return deciding
	case len(parts) == 1:
		return parts[0]
	}
	made := &condition{operator: operator, parts: parts, id: uint64(operator[1]) << 32}
	for _, part := range parts {
		made.id += part.id * 0x9E3779B97F4A7C15
		made.size += part.size
	}
	made.id ^= made.id >> 29
	if made.size > largest {
		return tooLarge
	}
	return made
}

// decided leaves out of parts, which an operator joins, what their neighbours decide: of "a and (not a or b)" the "not
// a", of "a and (a or b)" all but a.
func decided(parts []*condition, has map[uint64]bool) []*condition {
	var kept, shortened []*condition
	for _, part := range parts {
		if part.operator == "" {
			kept = append(kept, part)
			continue
		}
		if slices.ContainsFunc(part.parts, func(inner *condition) bool {
			return has[inner.id] || inner.operator != "" &&
				!slices.ContainsFunc(inner.parts, func(one *condition) bool { return !has[one.id] })
		}) {
			continue
		}
		inner := slices.DeleteFunc(slices.Clone(part.parts), func(inner *condition) bool { return has[not(inner).id] })
		switch {
		case len(inner) == len(part.parts):
			kept = append(kept, part)
		case part.operator == operators.LogicalAnd:
			shortened = append(shortened, and(inner...))
		default:
			shortened = append(shortened, or(inner...))
		}
	}
	return withoutNarrower(append(kept, shortened...)) // which can be asked only after the others
}

// withoutNarrower leaves out the parts that have all of another one and more: of "a and b, or a" all but a.
func withoutNarrower(parts []*condition) []*condition {
	of := make([]map[uint64]bool, len(parts))
	for i, part := range parts {
		of[i] = map[uint64]bool{}
		for _, inner := range part.parts {
			of[i][inner.id] = true
		}
	}
	var kept []*condition
	for i, part := range parts {
		if !slices.ContainsFunc(parts, func(other *condition) bool {
			return len(other.parts) > 0 && len(other.parts) < len(part.parts) &&
				!slices.ContainsFunc(other.parts, func(inner *condition) bool { return !of[i][inner.id] })
		}) {
			kept = append(kept, part)
		}
	}
	return kept
}

// not returns the opposite of a condition, with the negation at its expressions.
func not(c *condition) *condition {
	if c.opposite != nil {
		return c.opposite
	}
	made := &condition{operator: operators.LogicalOr, size: c.size}
	switch c.operator {
	case "":
		made = that(negated(c.expr))
	case operators.LogicalOr:
		made.operator = operators.LogicalAnd
		fallthrough
	default:
		made.id = uint64(made.operator[1]) << 32
		for _, part := range c.parts {
			opposite := not(part)
			made.parts = append(made.parts, opposite)
			made.id += opposite.id * 0x9E3779B97F4A7C15
		}
		made.id ^= made.id >> 29
	}
	c.opposite = made
	if made != tooLarge {
		made.opposite = c
	}
	return made
}

// negated returns the opposite of an expression.
func negated(e celexpr.Expr) celexpr.Expr {
	if e.Kind() != ast.CallKind {
		return celexpr.Not(e)
	}
	call := e.AsCall()
	args := call.Args()
	last := len(args) - 1
	switch name := call.FunctionName(); {
	case name == operators.LogicalNot:
		return args[0]
	case celexpr.OppositeOf(name) != "": // numbers that are no numbers do not come from JSON
		return celexpr.Call(celexpr.OppositeOf(name), args...)
	case name == "exists" && call.IsMemberFunction():
		return celexpr.Method(call.Target(), "all", append(slices.Clone(args[:last]), negatedParts(args[last]))...)
	case name == "all" && call.IsMemberFunction():
		return celexpr.Method(call.Target(), "exists", append(slices.Clone(args[:last]), negatedParts(args[last]))...)
	}
	return celexpr.Not(e)
}

// negatedParts is negated for the body of a macro, which may join others.
func negatedParts(e celexpr.Expr) celexpr.Expr {
	for operator, join := range map[string]func(...celexpr.Expr) celexpr.Expr{
		operators.LogicalAnd: celexpr.Or, operators.LogicalOr: celexpr.And,
	} {
		if parts := celexpr.OperandsOf(e, operator); len(parts) > 1 {
			for i := range parts {
				parts[i] = negatedParts(parts[i])
			}
			return join(parts...)
		}
	}
	return negated(e)
}

// asExpr returns a condition as an expression.
func (c *condition) asExpr() celexpr.Expr {
	switch {
	case c == yes, c == no:
		return celexpr.Literal(c == yes)
	case c.operator == "":
		return c.expr
	}
	parts := make([]celexpr.Expr, len(c.parts))
	for i, part := range c.parts {
		parts[i] = part.asExpr()
	}
	if c.operator == operators.LogicalAnd {
		return celexpr.And(parts...)
	}
	return celexpr.Or(parts...)
}

// choose returns a choice of two expressions.
func choose(when *condition, then, otherwise celexpr.Expr) celexpr.Expr {
	switch when {
	case yes:
		return then
	case no:
		return otherwise
	}
	return celexpr.Call(operators.Conditional, when.asExpr(), then, otherwise)
}

// split returns the condition that one of two holds, by another one.
func split(when, then, otherwise *condition) *condition {
	return or(and(when, then), and(not(when), otherwise))
}

// uses reports whether a condition has a variable.
func (c *condition) uses(name string) bool { return c.has(celexpr.Name(name)) }

// has reports whether a condition has an expression.
func (c *condition) has(e celexpr.Expr) bool {
	if c.operator == "" {
		return has(c.expr, e)
	}
	return slices.ContainsFunc(c.parts, func(part *condition) bool { return part.has(e) })
}

// uses reports whether an expression has a variable.
func uses(e celexpr.Expr, name string) bool { return has(e, celexpr.Name(name)) }

// has reports whether an expression is a part of another one.
func has(whole, e celexpr.Expr) bool {
	for part := range celexpr.Parts(whole) {
		if sameExpr(part, e) {
			return true
		}
	}
	return false
}

// isName reports whether an expression is a variable.
func isName(e celexpr.Expr, name string) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == name
}

// replaced returns a condition with its expressions replaced.
func (c *condition) replaced(by func(celexpr.Expr) celexpr.Expr) *condition {
	if c == yes || c == no {
		return c
	}
	if c.operator == "" {
		return that(by(c.expr))
	}
	parts := make([]*condition, len(c.parts))
	for i, part := range c.parts {
		parts[i] = part.replaced(by)
	}
	if c.operator == operators.LogicalAnd {
		return and(parts...)
	}
	return or(parts...)
}
