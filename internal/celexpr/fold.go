package celexpr

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Fold returns an expression without what true and false in it decide: "true && a" is a, and "!false || a" is true.
func Fold(e Expr) Expr { return Rewrite(e, fold) }

func fold(e Expr) Expr {
	args := e.AsCall().Args()
	switch name := e.AsCall().FunctionName(); {
	case name == operators.LogicalNot && isBool(args[0]):
		return Literal(ValueOf(args[0]) == false)
	case name == operators.Conditional && isBool(args[0]):
		return args[map[bool]int{true: 1, false: 2}[ValueOf(args[0]) == true]]
	case name == operators.LogicalAnd || name == operators.LogicalOr:
		decides := name == operators.LogicalOr
		switch {
		case ValueOf(args[0]) == decides, ValueOf(args[1]) == decides:
			return Literal(decides)
		case isBool(args[0]):
			return args[1]
		case isBool(args[1]):
			return args[0]
		}
	}
	return e
}

func isBool(e Expr) bool {
	_, is := ValueOf(e).(bool)
	return is
}

// Below returns an expression about an object as one about a field of it, which is set: the variables become the field, and
// that the field is set is true. It returns false if the expression reads anything else of the object.
func Below(e Expr, variables []string, names ...string) (Expr, bool) {
	const inner = " " // begins a name that is no variable yet
	leads := func(part Expr) (variable string, path []string) {
		if path = PathOf(part); path == nil || !slices.Contains(variables, path[0]) || len(path) > len(names)+1 {
			return "", nil
		}
		for n, name := range path[1:] {
			if Unescape(name) != names[n] {
				return "", nil
			}
		}
		return path[0], path
	}
	e = Replace(e, func(part Expr) Expr {
		if field := HasOf(part); field != nil && field.Kind() == ast.SelectKind {
			if variable, _ := leads(field); variable != "" {
				return Literal(true)
			}
		}
		if variable, path := leads(part); len(path) == len(names)+1 {
			return Name(inner + variable)
		}
		return nil
	})
	for part := range Parts(e) {
		if part.Kind() == ast.IdentKind && slices.Contains(variables, part.AsIdent()) {
			return nil, false
		}
	}
	for _, variable := range variables {
		e = Rename(e, inner+variable, Name(variable))
	}
	return Fold(e), true
}

// Rename returns an expression with another one in place of a variable.
func Rename(e Expr, variable string, to Expr) Expr {
	return Replace(e, func(part Expr) Expr {
		if part.Kind() == ast.IdentKind && part.AsIdent() == variable {
			return to
		}
		return nil
	})
}
