package read

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// most is how many items of a list of known length are read one by one, and how many values a value may be.
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
		if !hasItems(x.typ) {
			a.notRead(s, st, a.unreadAt(st.Pos(), "a loop over a text or a number"))
			return
		}
		a.symbolic(s, st, x)
	default:
		a.notRead(s, st, of)
	}
}

// hasItems reports whether a type is that of a list or a map.
func hasItems(t types.Type) bool {
	switch elem(t).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return true
	}
	return false
}

// notRead makes what a loop assigns unknown, and executes its body once under a condition that is not known.
func (a *activation) notRead(s *state, st *ast.RangeStmt, of value) {
	why := a.unreadAt(st.Pos(), "a loop over what is not known")
	if u, ok := of.(unknown); ok {
		why = u
	}
	inner, returned := s.with(that(a.opaque(why)), false), len(a.returns)
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
	a.leaveBy(s, a.returns[returned:])
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
		returned := len(a.returns)
		a.body(inner, st.Body, &left, &left)
		for _, o := range a.assigned(st.Body) {
			before, known := s.env[o]
			if f, ok := inner.env[o].(failures); ok && known {
				s.env[o] = merge(yes, before, f)
			} else if known && !same(before, inner.env[o]) {
				s.env[o] = a.unreadAt(st.Pos(), "a variable that a loop assigns")
			}
		}
		a.leaveBy(s, a.returns[returned:])
	}
}

// symbolic executes the body of a loop over a list or map of the object once, for any item.
func (a *activation) symbolic(s *state, st *ast.RangeStmt, of place) {
	if a.fills(st.Body) { // what earlier items put into a collection is known after a first reading
		first := &state{env: maps.Clone(s.env), path: s.path}
		sites, panics := len(a.sites), len(a.panics)
		a.iteration(first, st, of, nil)
		a.sites, a.panics = a.sites[:sites], a.panics[:panics]
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
			inner.env[o] = loopVariable{before, a.unreadAt(st.Pos(), "the variable "+o.Name()+", which the loop changes")}
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
	a.leaveBy(s, a.returns[returned:])
}

// newLoop returns a loop over a list or map of the object.
func (r *reading) newLoop(of place) *loop {
	r.loops++
	_, isMap := elem(of.typ).Underlying().(*types.Map)
	l := &loop{
		key:   r.program.keys[of.field],
		list:  of.expr,
		name:  fmt.Sprintf("x%d", r.loops),
		index: fmt.Sprintf("i%d", r.loops),
		isMap: isMap,
		has:   of.has,
		asked: map[uint64]*condition{},
	}
	r.loopNames[l.name], r.loopNames[l.index] = true, true
	return l
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
