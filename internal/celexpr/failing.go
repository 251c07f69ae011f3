package celexpr

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// total lists functions and macros that have a result for all arguments of their types. A filtered or mapped list is left
// out: the fields of its items depend on the condition.
var total = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional,
	operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals,
	operators.In, operators.Has, operators.All, operators.Exists, operators.ExistsOne, "existsOne",
	operators.OptSelect, operators.OptIndex, "hasValue", "orValue",
	"size", "startsWith", "endsWith", "contains", "string",
}

// CannotFail reports whether an expression has a result if all fields that it reads are set: it neither divides, nor reads
// an item by its index, nor parses a text.
func CannotFail(e Expr) bool {
	for part := range Parts(e) {
		call := part.AsCall()
		if part.Kind() != ast.CallKind || slices.Contains(total, call.FunctionName()) {
			continue
		}
		if args := call.Args(); call.FunctionName() == "matches" && len(args) > 0 {
			if _, isText := TextOf(args[len(args)-1]); isText { // a wrong pattern does not compile
				continue
			}
		}
		return false
	}
	return true
}
