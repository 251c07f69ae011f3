package rules

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/internal/openapi/celsyntax"
)

// constants are the literals of a condition that refuse values: those that a value must not equal, and bounds of numbers.
// One that neither the error's text, nor the schema, nor the code names may come from the objects that were seen.
type constants struct {
	Texts  []string
	Equal  []int64
	Bounds []int64
}

// ConstantsOf returns the literals of an expression that is true where the error is reported.
func ConstantsOf(expr string) *constants {
	c := &constants{}
	if parsed := celsyntax.Parse(expr); parsed != nil {
		c.visit(parsed.Expr(), true)
	}
	return c
}

// visit adds the literals of an expression. refuses is false in a negation: there, equal values are those that are accepted.
func (c *constants) visit(e ast.Expr, refuses bool) {
	if e.Kind() != ast.CallKind {
		return
	}
	call := e.AsCall()
	args := call.Args()
	switch name := call.FunctionName(); name {
	case operators.LogicalNot:
		c.visit(args[0], !refuses)
		return
	case operators.Equals, operators.In, operators.NotEquals:
		if refuses == (name != operators.NotEquals) {
			c.addEqual(args)
		}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		for _, arg := range args {
			if n, is := literalOf(arg).(int64); is {
				c.Bounds = append(c.Bounds, n)
			}
		}
	}
	if call.IsMemberFunction() {
		c.visit(call.Target(), refuses)
	}
	for _, arg := range args {
		c.visit(arg, refuses)
	}
}

func (c *constants) addEqual(args []ast.Expr) {
	for _, arg := range args {
		all := []ast.Expr{arg}
		if arg.Kind() == ast.ListKind {
			all = arg.AsList().Elements()
		}
		for _, one := range all {
			switch value := literalOf(one).(type) {
			case string:
				c.Texts = append(c.Texts, value)
			case int64:
				c.Equal = append(c.Equal, value)
			}
		}
	}
}

// literalOf returns the text or the whole number of a literal; nil: it is something else.
func literalOf(e ast.Expr) any {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	switch value := e.AsLiteral().(type) {
	case types.String:
		return string(value)
	case types.Int:
		return int64(value)
	}
	return nil
}
