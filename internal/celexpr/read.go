package celexpr

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// ArgsOf returns the arguments of a call of a function or an operator; nil: the expression is none.
func ArgsOf(e Expr, function string) []Expr {
	call := e.AsCall()
	if e.Kind() != ast.CallKind || call.FunctionName() != function || call.IsMemberFunction() {
		return nil
	}
	return call.Args()
}

// HasOf returns the field in "has(field)"; nil: the expression is no such call.
func HasOf(e Expr) Expr {
	if args := ArgsOf(e, operators.Has); len(args) == 1 {
		return args[0]
	}
	return nil
}

// SizeOf returns the value in "size(value)" or "value.size()"; nil: the expression is no such call.
func SizeOf(e Expr) Expr {
	call := e.AsCall()
	switch of := call.Args(); {
	case call.FunctionName() != "size":
	case call.IsMemberFunction() && len(of) == 0:
		return call.Target()
	case !call.IsMemberFunction() && len(of) == 1:
		return of[0]
	}
	return nil
}

// mirrored has the operators of comparisons whose sides are exchanged.
var mirrored = map[string]string{
	operators.Equals: operators.Equals, operators.NotEquals: operators.NotEquals,
	operators.Less: operators.Greater, operators.Greater: operators.Less,
	operators.LessEquals: operators.GreaterEquals, operators.GreaterEquals: operators.LessEquals,
}

// opposites has the operators of comparisons that are true where others are false.
var opposites = map[string]string{
	operators.Equals: operators.NotEquals, operators.NotEquals: operators.Equals,
	operators.Less: operators.GreaterEquals, operators.GreaterEquals: operators.Less,
	operators.Greater: operators.LessEquals, operators.LessEquals: operators.Greater,
}

// OppositeOf returns the operator of the comparison that is true where another one is false; empty: the operator compares
// nothing.
func OppositeOf(operator string) string { return opposites[operator] }

// ComparisonOf returns the sides and the operator of a comparison. A single literal is on the right: "3 < a" is a > 3.
// Nil: the expression is no comparison.
func ComparisonOf(e Expr) (left Expr, operator string, right Expr) {
	operator = e.AsCall().FunctionName()
	if mirrored[operator] == "" {
		return nil, "", nil
	}
	left, right = e.AsCall().Args()[0], e.AsCall().Args()[1]
	if left.Kind() == ast.LiteralKind && right.Kind() != ast.LiteralKind {
		return right, mirrored[operator], left
	}
	return left, operator, right
}

// OperandsOf returns the operands of nested calls of one operator: of "a && b && c" these are three.
func OperandsOf(e Expr, operator string) (all []Expr) {
	args := ArgsOf(e, operator)
	if args == nil {
		return []Expr{e}
	}
	for _, arg := range args {
		all = append(all, OperandsOf(arg, operator)...)
	}
	return all
}

// PathOf returns the names in "self.a.b", as they are written; nil: the expression is no field of a variable, or none.
func PathOf(e Expr) (names []string) {
	if e == nil {
		return nil
	}
	for e.Kind() == ast.SelectKind {
		names = append(names, e.AsSelect().FieldName())
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		return nil
	}
	names = append(names, e.AsIdent())
	slices.Reverse(names)
	return names
}

// ValueOf returns the value of a literal; nil: the expression is none.
func ValueOf(e Expr) any {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	return e.AsLiteral().Value()
}

// TextOf returns the value of a literal that is a text.
func TextOf(e Expr) (string, bool) {
	text, is := ValueOf(e).(string)
	return text, is
}
