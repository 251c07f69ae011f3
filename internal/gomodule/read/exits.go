package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// earlierExits are the conditions under which an iteration of a loop leaves the loop without an error that would hide others.
type earlierExits struct {
	loop *loop
	when *condition
}

// leaves reports whether the body of a loop may leave it.
func leaves(body *ast.BlockStmt) bool {
	for node := range ast.Preorder(body) {
		switch st := node.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			if st.Tok == token.BREAK || st.Label != nil {
				return true
			}
		}
	}
	return false
}

// silentExits returns when an iteration leaves its loop without an error; nil: it never does.
func silentExits(l *loop, base path, left []*state, returns []exit) *earlierExits {
	when := no
	for _, one := range left {
		if !hasError(one.env, one.path, base) {
			when = or(when, one.path.beyond(base, true))
		}
	}
	for _, one := range returns {
		failed := false
		for _, v := range one.values {
			f, ok := v.(failures)
			failed = failed || ok && f.any(one.path) == yes
		}
		if !failed {
			when = or(when, one.path.beyond(base, true))
		}
	}
	if when == no {
		return nil
	}
	return &earlierExits{l, when}
}

// noneLeft returns the condition that no earlier item left a loop.
func (a *activation) noneLeft(before *earlierExits, l *loop, pos token.Pos) *condition {
	if l.isMap {
		return that(a.opaque(a.unreadAt(pos, "a loop over a map that is left, in any order")))
	}
	if before.when == yes {
		return that(celexpr.Call(operators.Equals, celexpr.Name(l.index), celexpr.Literal(int64(0))))
	}
	fresh := a.newLoop(place{expr: l.list, typ: l.typ, has: l.has})
	earlier := that(celexpr.Call(operators.Less, celexpr.Name(fresh.index), celexpr.Name(l.index)))
	left := before.when.replaced(func(e celexpr.Expr) celexpr.Expr { return replacedNames(e, before.loop, fresh) })
	return not(fresh.exists(and(earlier, left)))
}

// hasError reports whether a state surely has an error that was made in a loop.
func hasError(env map[types.Object]value, at, base path) bool {
	for _, v := range env {
		f, ok := v.(failures)
		if ok && slices.ContainsFunc(f.all, func(one failure) bool {
			return one.path.shares(base, len(base)-1) && len(one.path) >= len(base) && and(one.path.beyond(at, true), one.when) == yes
		}) {
			return true
		}
	}
	return false
}
