package read

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (a *activation) declaration(s *state, st *ast.DeclStmt) {
	general, ok := st.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range general.Specs {
		values, ok := spec.(*ast.ValueSpec)
		if !ok || general.Tok == token.CONST {
			continue
		}
		for i, name := range values.Names {
			o := a.info.Defs[name]
			if o == nil {
				continue
			}
			if i < len(values.Values) && len(values.Values) == len(values.Names) {
				s.env[o] = a.shared(s, values.Values[i], a.eval(s, values.Values[i]))
			} else if len(values.Values) == 0 {
				s.env[o] = zero(o.Type())
			}
		}
	}
}

// assignment executes an assignment or a short declaration.
func (a *activation) assignment(s *state, st *ast.AssignStmt) {
	if st.Tok != token.ASSIGN && st.Tok != token.DEFINE {
		op, left, right := operatorOf(st.Tok), a.eval(s, st.Lhs[0]), a.eval(s, st.Rhs[0])
		a.divisor(s, op, right, st.Pos())
		a.assign(s, st.Lhs[0], a.binary(op, left, right, st.Pos()))
		return
	}
	if a.joinFlag(s, st) {
		return
	}
	var values []value
	if len(st.Rhs) == 1 && len(st.Lhs) > 1 {
		values = a.multiple(s, st.Rhs[0], len(st.Lhs))
	} else {
		for _, e := range st.Rhs {
			values = append(values, a.eval(s, e))
		}
	}
	for i, to := range st.Lhs {
		if len(st.Rhs) == len(st.Lhs) && a.groups(to, st.Rhs[i]) {
			values[i] = grouped{}
		} else if _, isName := to.(*ast.Ident); isName && len(st.Rhs) == len(st.Lhs) {
			values[i] = a.shared(s, st.Rhs[i], values[i])
		}
		a.assign(s, to, values[i])
	}
}

// joinFlag executes an assignment such as found = found || x in a loop that changes the variable: as one of a constant, if x holds.
func (a *activation) joinFlag(s *state, st *ast.AssignStmt) bool {
	joined, ok := ast.Unparen(st.Rhs[0]).(*ast.BinaryExpr)
	if !ok || len(st.Lhs) != 1 || joined.Op != token.LOR && joined.Op != token.LAND {
		return false
	}
	name, ok := st.Lhs[0].(*ast.Ident)
	first, isName := ast.Unparen(joined.X).(*ast.Ident)
	if !ok || !isName || a.info.ObjectOf(name) != a.info.ObjectOf(first) {
		return false
	}
	if _, isChanged := s.env[a.info.ObjectOf(name)].(loopVariable); !isChanged {
		return false
	}
	when := a.condition(a.eval(s, joined.Y))
	if joined.Op == token.LAND {
		when = not(when)
	}
	set := known{constant.MakeBool(joined.Op == token.LOR), types.Typ[types.Bool]}
	a.branch(s, when, func(s *state) { a.assign(s, name, set) }, func(*state) {})
	return true
}

// operatorOf returns the operator of an assignment such as +=.
func operatorOf(assign token.Token) token.Token {
	return assign - token.ADD_ASSIGN + token.ADD
}

// multiple returns the values of an expression that has several.
func (a *activation) multiple(s *state, e ast.Expr, count int) []value {
	var values []value
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		v, present := a.index(s, x)
		values = []value{v, truth{present}}
	case *ast.TypeAssertExpr:
		v, is := a.assertion(s, x)
		values = []value{v, truth{is}}
	default:
		if all, ok := a.eval(s, e).(several); ok {
			values = all
		}
	}
	for len(values) < count {
		values = append(values, a.unreadAt(e.Pos(), "one of several values"))
	}
	return values
}

// assign sets a variable, a field of a variable, or an entry of a map.
func (a *activation) assign(s *state, to ast.Expr, v value) {
	switch x := ast.Unparen(to).(type) {
	case *ast.Ident:
		if o := a.info.ObjectOf(x); o != nil && x.Name != "_" {
			s.env[o] = v
		}
	case *ast.SelectorExpr:
		a.assignField(s, x, v)
	case *ast.IndexExpr:
		of, key := a.eval(s, x.X), a.eval(s, x.Index)
		if !a.assignItem(s, x.X, of, key, v) {
			a.insert(s, x.X, of, key, v)
		}
	case *ast.StarExpr:
		a.assignPointedTo(s, x.X, v)
	}
}

// insert adds an entry to a map or set.
func (a *activation) insert(s *state, to ast.Expr, of, key, v value) {
	if before, ok := of.(loopVariable); ok {
		of = before.before
	}
	if isErrors(a.info.TypeOf(to)) { // made with a length, and filled
		a.store(s, to, a.gather(s, of, v, to.Pos()))
		return
	}
	before, ok := asCollection(of)
	_, isMap := a.info.TypeOf(to).Underlying().(*types.Map)
	if p, isPlace := of.(place); isMap && isPlace {
		a.require(s, p.has, to.Pos(), nilMap)
	}
	if !isMap || !ok {
		a.store(s, to, a.unreadAt(to.Pos(), "a list or map that is changed"))
		return
	}
	entries := before.entries[:len(before.entries):len(before.entries)]
	if name := rootName(to); name != nil && name != to && a.parameters[a.info.ObjectOf(name)] && !isPointer(a.info.TypeOf(name)) {
		a.leaveOut(to.Pos(), "a change of a map in the copy "+name.Name)
	}
	a.store(s, to, collection{entries: append(entries, entry{s.path.withoutPanics(), key, v})})
}

func (a *activation) increment(s *state, st *ast.IncDecStmt) {
	if st.Tok == token.INC && a.groups(st.X, nil) {
		a.assign(s, st.X, grouped{})
		return
	}
	before := a.eval(s, st.X)
	if of, ok := before.(loopVariable); ok && st.Tok == token.INC {
		a.assign(s, st.X, increment{of})
		return
	}
	operator := token.ADD
	if st.Tok == token.DEC {
		operator = token.SUB
	}
	a.assign(s, st.X, a.binary(operator, before, known{constant.MakeInt64(1), types.Typ[types.Int]}, st.Pos()))
}
