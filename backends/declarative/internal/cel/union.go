package cel

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
)

// In the API server, adding to a set enters the new members into the lookup table of the set on the left,
// which it keeps (k8s.io/apiserver/pkg/cel/common, unstructuredSetList.Add). That set keeps its size and
// items, but == and a second + find the new members in it, and + does not add them again. This lasts as
// long as the value: a variable lasts until the end of its loop, self and oldSelf until the last rule of
// their schema. Every other value is made anew each time.
//
// Comparing has the same effect if an item cannot be hashed: the table keeps the members before that item
// (see package types).
//
// Plans are not affected. They give up on adding to a set and on items that cannot be hashed, and read
// values in the order of cel-go. But after a rule that adds to a set, the other rules of its value are
// left to cel-go.

// adds reports whether an expression adds to a list.
func adds(e expression) bool {
	if e.AST == nil {
		return false
	}
	checked, found := e.AST, false
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		found = found || plan.IsCall(e, operators.Add, 2) && slices.Contains(checked.GetOverloadIDs(e.ID()), overloads.AddList)
	}))
	return found
}
