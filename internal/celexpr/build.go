package celexpr

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel"
)

var factory = ast.NewExprFactory()

// Name returns a variable, such as self.
func Name(name string) Expr { return factory.NewIdent(0, name) }

// Field returns a field of a field of an expression, by their names in JSON: "self.a.b".
func Field(of Expr, names ...string) Expr {
	for _, name := range names {
		of = factory.NewSelect(0, of, Escape(name))
	}
	return of
}

// Select returns a field by its name as it is written, also one that rules escape: policies read objects without a schema.
func Select(of Expr, name string) Expr { return factory.NewSelect(0, of, name) }

// Literal returns a bool, an int, an int64, a float64, a string or nil.
func Literal(value any) Expr {
	return factory.NewLiteral(0, types.DefaultTypeAdapter.NativeToValue(value))
}

// List returns a list of expressions.
func List(of ...Expr) Expr { return factory.NewList(0, of, nil) }

// Call returns a call of a function or of an operator, which has a name of cel-go's package operators.
func Call(function string, args ...Expr) Expr { return factory.NewCall(0, function, args...) }

// Method returns a call of a function or macro of a value: Method(list, "all", Name("x"), body).
func Method(of Expr, function string, args ...Expr) Expr {
	return factory.NewMemberCall(0, function, of, args...)
}

// Has returns the expression that a field is set.
func Has(field Expr) Expr { return Call(operators.Has, field) }

// Not returns the expression that another one is false.
func Not(e Expr) Expr { return Call(operators.LogicalNot, e) }

// And returns the expression that all of some expressions are true, of which there must be one.
func And(all ...Expr) Expr { return joined(operators.LogicalAnd, all) }

// Or returns the expression that one of some expressions is true, of which there must be one.
func Or(all ...Expr) Expr { return joined(operators.LogicalOr, all) }

func joined(operator string, all []Expr) Expr {
	made := all[0]
	for _, e := range all[1:] {
		made = Call(operator, made, e)
	}
	return made
}

// Escape returns the name of a field as rules write it: the field namespace is "self.__namespace__". A name that no
// rule can write stays as it is.
func Escape(name string) string {
	if escaped, ok := cel.Escape(name); ok {
		return escaped
	}
	return name
}

// Unescape returns the name of a field that a rule writes.
func Unescape(name string) string {
	if plain, ok := cel.Unescape(name); ok {
		return plain
	}
	return name
}
