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
	rest, ok := ast.Unparen(st.X).(*ast.SliceExpr)
	if ok && rest.Low != nil && rest.High == nil && isUnnamed(st.Key) && isList(a.info.TypeOf(rest.X)) {
		if of, ok := a.eval(s, rest.X).(place); ok {
			enough := a.compare(token.GEQ, a.size(s, of, st.Pos()), a.eval(s, rest.Low), st.Pos())
			a.require(s, enough, st.Pos(), noSlice)
			a.rangeFrom(s, &ast.RangeStmt{For: st.For, Key: st.Key, Value: st.Value, Tok: st.Tok, X: rest.X, Body: st.Body}, rest.Low)
			return
		}
	}
	a.over(s, st, a.eval(s, st.X))
}

// rangeFrom executes the body of a loop over the items of a list from an index on; nil: over all.
func (a *activation) rangeFrom(s *state, st *ast.RangeStmt, from ast.Expr) {
	of := a.eval(s, st.X)
	if _, ok := of.(place); from != nil && !ok {
		a.notRead(s, st, a.unreadAt(st.Pos(), "a loop that does not begin with the first item"))
		return
	}
	if from != nil {
		if a.starts == nil {
			a.starts = map[*ast.BlockStmt]ast.Expr{}
		}
		a.starts[st.Body] = from
	}
	a.over(s, st, of)
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
	case known:
		a.eachNumber(s, st, x)
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
	inner, returned, jumped := s.with(that(a.opaque(why)), false), len(a.returns), len(a.jumps)
	a.bind(inner, st, why, why)
	var left []*state
	a.body(inner, st.Body, &left, &left)
	a.leaveOutJumps(jumped, st)
	for _, one := range a.changesOf(s, st.Body).slots() {
		v, _ := one.in(inner.env)
		if f, ok := v.(failures); ok {
			before, _ := one.in(s.env)
			one.set(s.env, a.failuresOf(s, before, st.Pos()).unless(f, not(that(a.opaque(why)))).and(f))
		} else if _, ok := one.in(s.env); ok {
			one.set(s.env, why)
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
	a.target(body, breaks, continues)
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

// eachNumber executes the body of a loop over a number that is known.
func (a *activation) eachNumber(s *state, st *ast.RangeStmt, of known) {
	n, ok := constant.Int64Val(constant.ToInt(of.value))
	if of.value.Kind() != constant.Int || !ok || n > most {
		a.notRead(s, st, a.unreadAt(st.Pos(), "a loop over a text or a number"))
		return
	}
	a.eachItem(s, st, list{make([]value, max(n, 0))})
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
		returned, jumped := len(a.returns), len(a.jumps)
		a.body(inner, st.Body, &left, &left)
		a.leaveOutJumps(jumped, st)
		changes := a.changesOf(s, st.Body)
		for _, slot := range changes.slots() {
			before, known := slot.in(s.env)
			after, _ := slot.in(inner.env)
			if f, ok := after.(failures); ok && known {
				slot.set(s.env, a.gained(s, a.failuresOf(s, before, st.Pos()), f, slot, changes.replaces[slot.o]))
			} else if known && !same(before, after) {
				slot.set(s.env, a.unreadAt(st.Pos(), "a variable that a loop assigns"))
			}
		}
		a.leaveBy(s, a.returns[returned:])
	}
}

// symbolic executes the body of a loop over a list or map of the object once, for any item.
func (a *activation) symbolic(s *state, st *ast.RangeStmt, of place) {
	// What earlier items put into a collection, and how they leave the loop, is known after a first reading.
	fills := a.changesOf(s, st.Body).fills
	if !fills && !leaves(st.Body) {
		a.iteration(s, st, of, nil, nil)
		return
	}
	first := &state{env: maps.Clone(s.env), path: s.path}
	sites, panics, returned, left := len(a.sites), len(a.panics), len(a.returns), len(a.left)
	var earlier *earlierExits
	a.withoutJumps(func() { earlier = a.iteration(first, st, of, nil, nil) })
	if !fills && len(a.sites) == sites {
		earlier = nil // nothing is said of an item
	}
	a.sites, a.panics, a.returns, a.left = a.sites[:sites], a.panics[:panics], a.returns[:returned], a.left[:left]
	a.iteration(s, st, of, first.env, earlier)
}

// iteration executes the body of a loop for any item, and returns how it leaves the loop without an error. What earlier iterations
// put into collections, and how they leave the loop, is in earlier and exits.
func (a *activation) iteration(
	s *state, st *ast.RangeStmt, of place, earlier map[types.Object]value, before *earlierExits,
) *earlierExits {
	l := a.newLoop(of)
	inner := &state{env: maps.Clone(s.env), path: s.path.in(l)}
	base := inner.path
	if before != nil {
		inner.path = base.with(a.noneLeft(before, l, st.Pos()), false)
	}
	changes := a.changesOf(s, st.Body)
	outer := changes.slots()
	for _, one := range outer {
		a.bindChanged(s, inner, one, l, earlier, st.Pos())
	}
	item := itemOf(of, l)
	if l.isMap {
		a.bind(inner, st, term{expr: celexpr.Name(l.name), typ: types.Typ[types.String]}, item)
	} else {
		a.bind(inner, st, position{l}, item)
	}
	if from := a.starts[st.Body]; from != nil {
		inner.path = inner.path.with(a.compare(token.GEQ, position{l}, a.eval(s, from), st.Pos()), false)
	}
	var breaks, continues []*state
	returned, jumped := len(a.returns), len(a.jumps)
	a.body(inner, st.Body, &breaks, &continues)
	jumps := a.outer(jumped, st.Body)
	exits := append(breaks, continues...)
	if !inner.over {
		exits = append(exits, inner)
	}
	for _, one := range outer {
		before, ok := one.in(s.env)
		if !ok {
			continue
		}
		if f, ok := before.(failures); ok {
			end := &loopEnd{l, base, exits, len(breaks), st.Pos()}
			one.set(s.env, a.errorsAfter(s, one, f, end, changes.replaces[one.o]))
			continue
		}
		changed := a.edits(one, before, l, base, exits)
		if changed == nil || len(breaks) > 0 {
			changed = a.after(one, before, l, base, exits, len(breaks), st.Pos())
		}
		one.set(s.env, changed)
	}
	a.leaveByJumps(s, jumps, outer, st.Pos())
	a.leaveBy(s, a.returns[returned:])
	return silentExits(l, base, append(breaks, jumps...), a.returns[returned:])
}

// bindChanged gives a variable that a loop changes the value that it has in any iteration.
func (a *activation) bindChanged(s, inner *state, one slot, l *loop, earlier map[types.Object]value, pos token.Pos) {
	before, ok := one.in(s.env)
	if !ok {
		return
	}
	if isErrors(one.typ()) {
		before = a.failuresOf(s, before, pos)
		one.set(s.env, before)
		one.set(inner.env, before)
	}
	if before == (nothing{}) && isList(one.typ()) {
		before = collection{}
		one.set(s.env, before)
		one.set(inner.env, before)
	}
	switch v := before.(type) {
	case failures:
	case collection:
		all, _ := one.in(earlier)
		if all, ok := all.(collection); ok {
			one.set(inner.env, collection{entries: append(v.entries[:len(v.entries):len(v.entries)], ofEarlier(l, newEntries(v, all))...)})
		}
	default:
		one.set(inner.env, loopVariable{before, a.unreadAt(pos, "the variable "+one.name()+", which the loop changes")})
	}
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
		typ:   of.typ,
		has:   of.has,
		asked: map[uint64]*condition{},
	}
	r.loopNames[l.name], r.loopNames[l.index] = true, true
	return l
}

// forLoop executes loops that count over a list; others are not read.
func (a *activation) forLoop(s *state, st *ast.ForStmt) {
	if over, from := counted(a.info, st); over != nil {
		a.rangeFrom(s, over, from)
		return
	}
	a.notRead(s, &ast.RangeStmt{For: st.For, Body: st.Body}, a.unreadAt(st.Pos(), "a loop that is no range"))
}
