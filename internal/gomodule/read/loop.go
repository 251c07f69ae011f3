package read

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// most is how many items of a list of known length are read one by one.
const most = 64

func (a *activation) rangeLoop(s *state, st *ast.RangeStmt) {
	a.over(s, st, a.eval(s, st.X))
}

// over executes the body of a loop over a value.
func (a *activation) over(s *state, st *ast.RangeStmt, of value) {
	switch x := of.(type) {
	case failures:
		a.eachFailure(s, st, x)
	case list:
		a.eachItem(s, st, x)
	case collection:
		a.eachEntry(s, st, x)
	case choice:
		a.branch(s, x.when, func(s *state) { a.over(s, st, x.then) }, func(s *state) { a.over(s, st, x.otherwise) })
	case nothing:
	case place:
		a.symbolic(s, st, x)
	default:
		a.notRead(s, st, of)
	}
}

// notRead makes what a loop assigns unknown, and executes its body once under a condition that is not known.
func (a *activation) notRead(s *state, st *ast.RangeStmt, of value) {
	why := a.unreadAt(st.Pos(), "a loop over what is not known")
	if u, ok := of.(unknown); ok {
		why = u
	}
	inner := s.with(that(a.opaque(why)), false)
	a.bind(inner, st, why, why)
	var left []*state
	a.body(inner, st.Body, &left, &left)
	for _, o := range a.assigned(st.Body) {
		if f, ok := inner.env[o].(failures); ok {
			s.env[o] = f
		} else if _, ok := s.env[o]; ok {
			s.env[o] = why
		}
	}
}

func (a *activation) bind(s *state, st *ast.RangeStmt, key, item value) {
	if st.Key != nil {
		a.assign(s, st.Key, key)
	}
	if st.Value != nil {
		a.assign(s, st.Value, item)
	}
}

func (a *activation) body(s *state, body *ast.BlockStmt, breaks, continues *[]*state) {
	outerBreaks, outerContinues := a.breaks, a.continues
	a.breaks, a.continues = breaks, continues
	a.block(body.List, s)
	a.breaks, a.continues = outerBreaks, outerContinues
}

// eachFailure executes the body of a loop over texts of mistakes: once, if there is one.
func (a *activation) eachFailure(s *state, st *ast.RangeStmt, of failures) {
	any := of.asked(s.path)
	if any == no {
		return
	}
	a.branch(s, any, func(s *state) {
		var item value = text{"…"}
		if of.areErrors() {
			item = oneOf{of}
		}
		a.bind(s, st, a.unreadAt(st.Pos(), "an index"), item)
		var left []*state
		a.body(s, st.Body, &left, &left)
		a.rejoin(s, left)
		s.over = s.over && len(left) == 0
	}, func(*state) {})
}

func (a *activation) eachItem(s *state, st *ast.RangeStmt, of list) {
	if len(of.items) > most {
		a.notRead(s, st, a.unreadAt(st.Pos(), "a long list"))
		return
	}
	var breaks []*state
	for i, item := range of.items {
		if s.over {
			break
		}
		a.bind(s, st, known{constant.MakeInt64(int64(i)), types.Typ[types.Int]}, item)
		var continues []*state
		a.body(s, st.Body, &breaks, &continues)
		a.rejoin(s, continues)
	}
	a.rejoin(s, breaks)
}

// eachEntry executes the body of a loop over what other loops put into a set, a map or a list.
func (a *activation) eachEntry(s *state, st *ast.RangeStmt, of collection) {
	for _, one := range of.entries {
		inner := &state{env: maps.Clone(s.env), path: s.path.joint(one.path)}
		key, item := one.key, one.value
		if _, isMap := a.info.TypeOf(st.X).Underlying().(*types.Map); !isMap {
			key = a.unreadAt(st.Pos(), "an index")
		}
		if _, ok := item.(grouped); ok {
			item = a.counted(of, key, s, st.Pos())
		}
		a.bind(inner, st, key, item)
		var left []*state
		a.body(inner, st.Body, &left, &left)
		for _, o := range a.assigned(st.Body) {
			before, known := s.env[o]
			if f, ok := inner.env[o].(failures); ok && known {
				s.env[o] = merge(yes, before, f)
			} else if known && !same(before, inner.env[o]) {
				s.env[o] = a.unreadAt(st.Pos(), "a variable that a loop assigns")
			}
		}
	}
}

// symbolic executes the body of a loop over a list or map of the object once, for any item.
func (a *activation) symbolic(s *state, st *ast.RangeStmt, of place) {
	if a.fills(st.Body) { // what earlier items put into a collection is known after a first reading
		first := &state{env: maps.Clone(s.env), path: s.path}
		sites := len(a.sites)
		a.iteration(first, st, of, nil)
		a.sites = a.sites[:sites]
		a.iteration(s, st, of, first.env)
		return
	}
	a.iteration(s, st, of, nil)
}

// iteration executes the body of a loop for any item. What earlier iterations put into collections is in earlier.
func (a *activation) iteration(s *state, st *ast.RangeStmt, of place, earlier map[types.Object]value) {
	l := a.newLoop(of)
	inner := &state{env: maps.Clone(s.env), path: s.path.in(l)}
	base := inner.path
	outer := a.assigned(st.Body)
	for _, o := range outer {
		before, ok := s.env[o]
		if !ok {
			continue
		}
		if _, isSlice := o.Type().Underlying().(*types.Slice); isSlice && before == (nothing{}) {
			before = collection{}
			s.env[o], inner.env[o] = before, before
		}
		switch v := before.(type) {
		case failures:
		case collection:
			if all, ok := earlier[o].(collection); ok {
				inner.env[o] = collection{append(v.entries[:len(v.entries):len(v.entries)], ofEarlier(l, newEntries(v, all))...)}
			}
		default:
			inner.env[o] = carried{before, a.unreadAt(st.Pos(), "the variable "+o.Name()+", which the loop changes")}
		}
	}
	item := itemOf(of, l)
	if l.isMap {
		a.bind(inner, st, term{expr: celexpr.Name(l.name), typ: types.Typ[types.String]}, item)
	} else {
		a.bind(inner, st, position{l}, item)
	}
	var breaks, continues []*state
	returned := len(a.returns)
	a.body(inner, st.Body, &breaks, &continues)
	exits := append(breaks, continues...)
	if !inner.over {
		exits = append(exits, inner)
	}
	for _, o := range outer {
		before, ok := s.env[o]
		if !ok {
			continue
		}
		if changed := a.edits(o, before, l, base, exits); changed != nil && len(breaks) == 0 {
			s.env[o] = changed
		} else {
			s.env[o] = a.after(o, before, l, base, exits, len(breaks), st.Pos())
		}
	}
	a.leaveBy(s, a.returns[returned:], base)
}

// newLoop returns a loop over a list or map of the object.
func (r *reading) newLoop(of place) *loop {
	r.loops++
	_, isMap := elem(of.typ).Underlying().(*types.Map)
	l := &loop{list: of.expr, name: fmt.Sprintf("x%d", r.loops), index: fmt.Sprintf("i%d", r.loops), isMap: isMap, has: of.has}
	r.loopNames[l.name], r.loopNames[l.index] = true, true
	return l
}

// ofEarlier returns entries as those that earlier iterations of a loop made.
func ofEarlier(l *loop, entries []entry) []entry {
	var all []entry
	for _, one := range entries {
		at := len(one.path) - 1
		for at >= 0 && (one.path[at].loop == nil || celexpr.String(one.path[at].loop.list) != celexpr.String(l.list)) {
			at--
		}
		if at >= 0 && !l.isMap {
			earlier := celexpr.Call(operators.Less, celexpr.Name(one.path[at].loop.index), celexpr.Name(l.index))
			made := append(path(nil), one.path...)
			atoms := made[at].atoms
			made[at].atoms = append(atoms[:len(atoms):len(atoms)], atom{condition: that(earlier)})
			one.path = made
		}
		all = append(all, one)
	}
	return all
}

// leaveBy notes that the statements after a loop run if none of its returns did.
func (a *activation) leaveBy(s *state, returns []exit, base path) {
	for _, one := range returns {
		failed := false
		for _, v := range one.values {
			if f, ok := v.(failures); ok && f.any(one.path) == yes {
				failed = true
			}
		}
		s.path = s.path.with(not(one.path.beyond(s.path, true)), failed)
	}
}

// after returns a variable after a loop.
func (a *activation) after(o types.Object, before value, l *loop, base path, exits []*state, breaks int, pos token.Pos) value {
	result := before
	for i, exit := range exits {
		v := exit.env[o]
		switch x := v.(type) {
		case failures:
			result = merge(yes, result, x)
			continue
		case collection:
			if y, ok := asCollection(result); ok {
				result = collection{append(y.entries[:len(y.entries):len(y.entries)], ofLoop(newEntries(y, x), l)...)}
				continue
			}
		case carried:
			continue
		}
		was, isFlag := before.(known)
		for _, one := range changedIn(v, yes) {
			is, ok := one.then.(known)
			isFlag = isFlag && ok && is.value.Kind() == constant.Bool && !same(is, was)
		}
		var last value
		for _, one := range changedIn(v, exit.path.beyond(base, true)) {
			if last != nil && !same(last, one.then) || breaks > 0 && i >= breaks {
				return a.unreadAt(pos, "a variable to which a loop assigns different values")
			}
			last = one.then
			if c, ok := exit.env[o].(choice); ok && isFlag { // it is set once, and asked as long as it is not
				one.when = one.when.replaced(a.flagBefore(c, was))
			}
			result = a.once(one.then, one.when, result, l, i < breaks, pos)
		}
	}
	return result
}

// ofLoop returns the entries that the iteration itself made, and not those of earlier ones.
func ofLoop(entries []entry, l *loop) []entry {
	var all []entry
	for _, one := range entries {
		for _, f := range one.path {
			if f.loop == l {
				all = append(all, one)
				break
			}
		}
	}
	return all
}

// flagBefore returns a function that replaces a flag in an iteration by what it was before the loop.
func (a *activation) flagBefore(in choice, was known) func(celexpr.Expr) celexpr.Expr {
	var flag celexpr.Expr
	var find func(v value)
	find = func(v value) {
		switch x := v.(type) {
		case carried:
			flag = a.opaque(x.now)
		case choice:
			find(x.then)
			find(x.otherwise)
		}
	}
	find(in)
	return func(e celexpr.Expr) celexpr.Expr {
		return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
			if flag != nil && part.Kind() == flag.Kind() && celexpr.String(part) == celexpr.String(flag) {
				return literal(was.value)
			}
			return nil
		})
	}
}

// changedIn returns what an iteration makes of a variable, and when, but for where it leaves it.
func changedIn(v value, when *condition) []choice {
	switch x := v.(type) {
	case carried:
		return nil
	case choice:
		if !mayCarry(x) {
			break
		}
		return append(changedIn(x.then, and(when, x.when)), changedIn(x.otherwise, and(when, not(x.when)))...)
	}
	if when == no {
		return nil
	}
	return []choice{{when: when, then: v}}
}

// mayCarry reports whether a variable may be as it was before an iteration.
func mayCarry(v value) bool {
	switch x := v.(type) {
	case carried:
		return true
	case choice:
		return mayCarry(x.then) || mayCarry(x.otherwise)
	}
	return false
}

// once returns a variable that a loop sets for an item that fulfils a condition.
func (a *activation) once(v value, when *condition, before value, l *loop, first bool, pos token.Pos) value {
	if _, ok := v.(increment); ok {
		count := celexpr.Call("size", celexpr.Method(l.list, "filter", celexpr.Name(l.name), when.asExpr()))
		return a.binary(token.ADD, before, place{expr: count, typ: types.Typ[types.Int], has: l.has}, pos)
	}
	found := found(v, when, l, first)
	if found == nil {
		return a.unreadAt(pos, "a variable that a loop assigns")
	}
	return choice{and(l.has, l.exists(when)), found, before}
}

// found returns a value of a loop for the first item that fulfils a condition, or the last; nil: that cannot be said.
func found(v value, when *condition, l *loop, first bool) value {
	all := celexpr.Method(l.list, "filter", celexpr.Name(l.name), when.asExpr())
	at := celexpr.Literal(int64(0))
	if !first {
		at = celexpr.Call(operators.Subtract, celexpr.Call("size", all), celexpr.Literal(int64(1)))
	}
	item := celexpr.Call(operators.Index, all, at)
	replaced := func(e celexpr.Expr) celexpr.Expr {
		return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
			if isName(part, l.name) {
				return item
			}
			return nil
		})
	}
	switch x := v.(type) {
	case place:
		if uses(x.expr, l.index) || when.uses(l.index) && uses(x.expr, l.name) {
			return nil
		}
		return place{expr: replaced(x.expr), typ: x.typ, has: x.has.replaced(replaced)}
	case truth:
		if x.when.uses(l.index) || when.uses(l.index) && x.when.uses(l.name) {
			return nil
		}
		return truth{x.when.replaced(replaced)}
	case term:
		if uses(x.expr, l.index) || when.uses(l.index) && uses(x.expr, l.name) {
			return nil
		}
		return renamed(x, replaced)
	case known, nothing, fieldPath, text:
		return x
	case pointer:
		if to := found(x.to, when, l, first); to != nil {
			return pointer{to}
		}
	case failures:
		return x
	}
	return nil
}

// forLoop executes loops that count over a list; others are not read.
func (a *activation) forLoop(s *state, st *ast.ForStmt) {
	if over := counted(a.info, st); over != nil {
		a.rangeLoop(s, over)
		return
	}
	a.notRead(s, &ast.RangeStmt{For: st.For, Body: st.Body}, a.unreadAt(st.Pos(), "a loop that is no range"))
}

// counted returns a loop such as for i := 0; i < len(list); i++ as a range; nil: it is another one.
func counted(info *types.Info, st *ast.ForStmt) *ast.RangeStmt {
	init, ok := st.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return nil
	}
	start := info.Types[init.Rhs[0]].Value
	less, ok := st.Cond.(*ast.BinaryExpr)
	step, isStep := st.Post.(*ast.IncDecStmt)
	if start == nil || start.ExactString() != "0" || !ok || less.Op != token.LSS || !isStep || step.Tok != token.INC {
		return nil
	}
	size, ok := less.Y.(*ast.CallExpr)
	if !ok || len(size.Args) != 1 {
		return nil
	}
	if name, ok := size.Fun.(*ast.Ident); !ok || name.Name != "len" {
		return nil
	}
	return &ast.RangeStmt{For: st.For, Key: init.Lhs[0], Tok: token.DEFINE, X: size.Args[0], Body: st.Body}
}

// assigned returns the variables that statements assign, and that are declared outside of them.
func (a *activation) assigned(body *ast.BlockStmt) []types.Object {
	var all []types.Object
	seen := map[types.Object]bool{}
	add := func(e ast.Expr) {
		name := rootName(e)
		if name == nil {
			return
		}
		o := a.info.ObjectOf(name)
		if o != nil && !seen[o] && (o.Pos() < body.Pos() || o.Pos() > body.End()) {
			seen[o] = true
			all = append(all, o)
		}
	}
	for node := range ast.Preorder(body) {
		switch st := node.(type) {
		case *ast.AssignStmt:
			for _, to := range st.Lhs {
				add(to)
			}
		case *ast.IncDecStmt:
			add(st.X)
		case *ast.CallExpr:
			if of, ok := st.Fun.(*ast.SelectorExpr); ok && (of.Sel.Name == "Insert" || of.Sel.Name == "Delete") {
				add(of.X)
			}
		}
	}
	return all
}

// fills reports whether statements put something into a collection that is declared outside of them.
func (a *activation) fills(body *ast.BlockStmt) bool {
	for node := range ast.Preorder(body) {
		switch st := node.(type) {
		case *ast.AssignStmt:
			for i, to := range st.Lhs {
				if _, ok := to.(*ast.IndexExpr); ok {
					return true
				}
				if len(st.Rhs) == len(st.Lhs) && a.appends(st.Rhs[i]) {
					return true
				}
			}
		case *ast.IncDecStmt:
			if _, ok := st.X.(*ast.IndexExpr); ok {
				return true
			}
		case *ast.CallExpr:
			if of, ok := st.Fun.(*ast.SelectorExpr); ok && of.Sel.Name == "Insert" {
				return true
			}
		}
	}
	return false
}

// appends reports whether an expression is a list with more items, which are no errors.
func (a *activation) appends(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "append" && !isErrors(a.info.TypeOf(e))
}

// rootName returns the variable of which an expression is a part.
func rootName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return rootName(e.X)
	case *ast.IndexExpr:
		return rootName(e.X)
	case *ast.StarExpr:
		return rootName(e.X)
	}
	return nil
}
