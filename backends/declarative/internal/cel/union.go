package cel

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
)

// The API server's + of a set enters the members that are new into the look-up of the set
// on the left, which it keeps (k8s.io/apiserver/pkg/cel/common, unstructuredSetList.Add).
// Afterwards that set has the size and the items that it had, but seems to have the new
// members to == and to another +, which then does not add them. It is so for as long as
// the value lasts: a variable does to the end of a loop, self and oldSelf to the last rule
// of their schema. All else is made anew whenever it is asked for.
//
// Equality leaves such a mark where an item cannot be hashed: the look-up stays with the
// members that came before it (see package values).
//
// Plans need not know. They give up where a set is added to and where an item cannot be
// hashed, and look at all in cel-go's order. But after a rule that adds to a set, the others
// of its value are left to cel-go.

// adds says that an expression adds to a list.
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
