package rules

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// constants are the literals of a condition that refuse values: those that a value must not equal, and bounds of numbers.
// One that neither the error's text, nor the schema, nor the code names may come from the objects that were seen.
type constants struct {
	Texts  []string
	Equal  []int64
	Bounds []int64
}

// ConstantsOf returns the literals of an expression that is true where the error is reported.
func ConstantsOf(refuses celexpr.Expr) *constants {
	c := &constants{}
	c.visit(refuses, true)
	return c
}

// visit adds the literals of an expression. refuses is false in a negation: there, equal values are those that are accepted.
func (c *constants) visit(e celexpr.Expr, refuses bool) {
	switch args, name := e.AsCall().Args(), e.AsCall().FunctionName(); name {
	case operators.LogicalNot:
		c.visit(args[0], !refuses)
		return
	case operators.Equals, operators.In, operators.NotEquals:
		if refuses == (name != operators.NotEquals) {
			c.addEqual(args)
		}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		for _, arg := range args {
			if n, is := celexpr.ValueOf(arg).(int64); is {
				c.Bounds = append(c.Bounds, n)
			}
		}
	}
	if e.Kind() == ast.CallKind {
		for _, part := range celexpr.PartsOf(e) {
			c.visit(part, refuses)
		}
	}
}

func (c *constants) addEqual(args []celexpr.Expr) {
	for _, arg := range args {
		all := []celexpr.Expr{arg}
		if arg.Kind() == ast.ListKind {
			all = arg.AsList().Elements()
		}
		for _, one := range all {
			switch value := celexpr.ValueOf(one).(type) {
			case string:
				c.Texts = append(c.Texts, value)
			case int64:
				c.Equal = append(c.Equal, value)
			}
		}
	}
}
