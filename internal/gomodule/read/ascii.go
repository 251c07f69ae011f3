package read

import (
	"regexp/syntax"
	"slices"
	"unicode"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// isASCII returns the condition that each letter of a text has one byte.
func isASCII(t celexpr.Expr) *condition {
	return that(celexpr.Call(operators.Equals, celexpr.Call("size", celexpr.Call("bytes", t)), celexpr.Call("size", t)))
}

// saysASCII reports whether a path says that each letter of a text has one byte, by a pattern of ASCII that the text has.
func (p path) saysASCII(t celexpr.Expr) bool {
	return slices.ContainsFunc(p.facts(false), func(fact *condition) bool {
		hasPattern := func(part *condition) bool { return hasASCIIPattern(part, t) }
		if fact.operator == operators.LogicalOr && slices.ContainsFunc(fact.parts, hasPattern) {
			open := slices.DeleteFunc(slices.Clone(fact.parts), func(part *condition) bool { return p.decided(part) == no })
			return len(open) == 1 && hasPattern(open[0])
		}
		return hasPattern(fact)
	})
}

// hasASCIIPattern reports whether a condition is that a text has a pattern which only texts of ASCII have.
func hasASCIIPattern(c *condition, t celexpr.Expr) bool {
	if c.expr == nil {
		return false
	}
	call := c.expr.AsCall()
	if call.FunctionName() != "matches" || !call.IsMemberFunction() || !sameExpr(call.Target(), t) {
		return false
	}
	pattern, isText := celexpr.TextOf(call.Args()[0])
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if !isText || err != nil || parsed.Op != syntax.OpConcat {
		return false
	}
	first, last := parsed.Sub[0].Op, parsed.Sub[len(parsed.Sub)-1].Op
	return first == syntax.OpBeginText && last == syntax.OpEndText && isOfASCIIPattern(parsed)
}

// isOfASCIIPattern reports whether a pattern has only letters of ASCII.
func isOfASCIIPattern(p *syntax.Regexp) bool {
	switch p.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpLiteral, syntax.OpCharClass: // a class has the first and the last letter of each range
		if p.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(p.Rune, func(r rune) bool { return r > unicode.MaxASCII }) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Sub, func(sub *syntax.Regexp) bool { return !isOfASCIIPattern(sub) })
}
