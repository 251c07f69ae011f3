package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// switchCases executes a switch as a chain of if and else.
func (a *activation) switchCases(s *state, st *ast.SwitchStmt) {
	if st.Init != nil {
		a.statement(st.Init, s)
	}
	var tag value
	if st.Tag != nil {
		tag = a.eval(s, st.Tag)
	}
	outer, left := a.breaks, []*state(nil)
	a.breaks = &left
	a.target(st.Body, &left, nil)
	a.cases(s, st.Body, caseClauses(st.Body), func(s *state, e ast.Expr) *condition {
		if tag == nil {
			return a.condition(a.eval(s, e))
		}
		return a.compare(token.EQL, tag, a.eval(s, e), e.Pos())
	})
	a.breaks = outer
	a.rejoin(s, left)
}

// rejoin is the state after a statement that some states left earlier.
func (a *activation) rejoin(s *state, left []*state) {
	for _, one := range left {
		if s.over {
			*s = *one
			continue
		}
		common := s.path
		s.env = mergedEnvs(one.path.beyond(common, true), one.env, s.env)
		s.path = s.path[:len(s.path):len(s.path)]
		last := len(s.path) - 1
		keep := 0
		for keep < min(len(one.path[last].atoms), len(common[last].atoms)) &&
			one.path[last].atoms[keep].condition.id == common[last].atoms[keep].condition.id {
			keep++
		}
		base := append(path(nil), common...)
		base[last].atoms = base[last].atoms[:keep:keep]
		s.path = base.with(or(common.beyond(base, true), one.path.beyond(base, true)), false)
	}
}

// caseClauses returns the clauses of a switch, the default one last.
func caseClauses(body *ast.BlockStmt) []*ast.CaseClause {
	var clauses []*ast.CaseClause
	var last *ast.CaseClause
	for _, st := range body.List {
		switch clause, ok := st.(*ast.CaseClause); {
		case !ok:
		case clause.List == nil:
			last = clause
		default:
			clauses = append(clauses, clause)
		}
	}
	if last != nil {
		clauses = append(clauses, last)
	}
	return clauses
}

// cases executes the first clause that fits.
func (a *activation) cases(s *state, body *ast.BlockStmt, clauses []*ast.CaseClause, fits func(*state, ast.Expr) *condition) {
	if len(clauses) == 0 {
		return
	}
	clause := clauses[0]
	if clause.List == nil {
		a.clause(s, body, clause)
		return
	}
	condition := no
	for _, e := range clause.List {
		condition = or(condition, fits(s, e))
	}
	a.branch(s, condition, func(s *state) { a.clause(s, body, clause) },
		func(s *state) { a.cases(s, body, clauses[1:], fits) })
}

// clause executes a clause, and the next one of the source if it ends with fallthrough.
func (a *activation) clause(s *state, body *ast.BlockStmt, clause *ast.CaseClause) {
	a.block(clause.Body, s)
	if s.over || len(clause.Body) == 0 {
		return
	}
	if jump, ok := clause.Body[len(clause.Body)-1].(*ast.BranchStmt); ok && jump.Tok == token.FALLTHROUGH {
		next := slices.Index(body.List, ast.Stmt(clause)) + 1
		a.clause(s, body, body.List[next].(*ast.CaseClause))
	}
}

// typeSwitch executes the clause of the type that a value has, where it is known.
func (a *activation) typeSwitch(s *state, st *ast.TypeSwitchStmt) {
	if st.Init != nil {
		a.statement(st.Init, s)
	}
	var asserted *ast.TypeAssertExpr
	switch x := st.Assign.(type) {
	case *ast.ExprStmt:
		asserted, _ = x.X.(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		asserted, _ = x.Rhs[0].(*ast.TypeAssertExpr)
	}
	if asserted == nil {
		return
	}
	of := a.eval(s, asserted.X)
	if typeOf(of) == nil && asMade(of) == nil {
		a.leaveOut(st.Pos(), "a switch over the type of what is not known")
		s.over = s.over || alwaysReturns(st.Body)
		return
	}
	outer, left := a.breaks, []*state(nil)
	a.breaks = &left
	a.target(st.Body, &left, nil)
	a.typeCase(s, st, of)
	a.breaks = outer
	a.rejoin(s, left)
}

// typeCase executes the clause of the type of a value.
func (a *activation) typeCase(s *state, st *ast.TypeSwitchStmt, of value) {
	for _, clause := range caseClauses(st.Body) {
		fits := clause.List == nil
		for _, e := range clause.List {
			fits = fits || isOfType(of, a.info.TypeOf(e))
		}
		if fits {
			if o := a.info.Implicits[clause]; o != nil {
				s.env[o] = of
			}
			a.block(clause.Body, s)
			return
		}
	}
}

// alwaysReturns reports whether each clause of a switch, of which one is the default, ends with a return.
func alwaysReturns(body *ast.BlockStmt) bool {
	hasDefault := false
	for _, clause := range caseClauses(body) {
		hasDefault = hasDefault || clause.List == nil
		if len(clause.Body) == 0 {
			return false
		}
		if _, ok := clause.Body[len(clause.Body)-1].(*ast.ReturnStmt); !ok {
			return false
		}
	}
	return hasDefault
}

// isOfType reports whether a value is known to have a type, or to implement an interface.
func isOfType(v value, t types.Type) bool {
	var of types.Type
	switch v := v.(type) {
	case place:
		of = v.typ
	case *made:
		of = v.typ
	}
	if t == nil || of == nil {
		return false
	}
	if isPointer(of) && !isPointer(t) && !types.IsInterface(t) {
		return false
	}
	if implemented, ok := t.Underlying().(*types.Interface); ok {
		return types.Implements(types.NewPointer(elem(of)), implemented)
	}
	return types.Identical(elem(of), elem(t))
}
