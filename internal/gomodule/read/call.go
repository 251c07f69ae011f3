package read

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// deepest is how many calls are inlined into each other.
const deepest = 24

// call is a call with its values.
type call struct {
	*activation
	s       *state
	expr    *ast.CallExpr
	args    []value
	of      value // the receiver
	results *types.Tuple
}

func (a *activation) call(s *state, x *ast.CallExpr) value {
	if a.info.Types[x.Fun].IsType() {
		return a.converted(a.eval(s, x.Args[0]), a.info.TypeOf(x))
	}
	if name, ok := ast.Unparen(x.Fun).(*ast.Ident); ok {
		if _, isBuiltin := a.info.Uses[name].(*types.Builtin); isBuiltin {
			return a.builtin(s, name.Name, x)
		}
	}
	c := &call{activation: a, s: s, expr: x}
	if signature, ok := a.info.TypeOf(x.Fun).Underlying().(*types.Signature); ok {
		c.results = signature.Results()
	}
	function, _ := typeutil.Callee(a.info, x).(*types.Func)
	var literal closure
	if selector, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && a.info.Selections[selector] != nil {
		if of, ok := a.eval(s, selector).(closure); ok {
			c.of, literal = of.of, of
		}
	} else if function == nil {
		literal, _ = a.eval(s, x.Fun).(closure)
	}
	for _, e := range x.Args {
		c.args = append(c.args, a.eval(s, e))
	}
	if len(x.Args) == 1 && len(c.args) == 1 {
		if all, ok := c.args[0].(several); ok {
			c.args = all
		}
	}
	if literal.literal != nil {
		return a.inlineLiteral(c, literal)
	}
	if function == nil && literal.named == nil {
		if chosen, ok := a.eval(s, x.Fun).(choice); ok {
			return a.callChosen(c, chosen)
		}
	}
	if function == nil {
		if o := variable(a.info, x.Fun); o != nil && o.Pkg() != nil {
			if model, ok := models[o.Pkg().Path()+"."+o.Name()]; ok {
				return model(c)
			}
		}
		function = literal.named
	}
	if function == nil {
		return c.notRead("a function that is a value")
	}
	return a.callFunction(c, function.Origin())
}

// callChosen calls one of two functions.
func (a *activation) callChosen(c *call, of choice) value {
	results := make([]value, 2)
	for i, v := range []value{of.then, of.otherwise} {
		one := *c
		one.s = c.s.with([]*condition{of.when, not(of.when)}[i], false)
		switch f := v.(type) {
		case closure:
			if f.literal != nil {
				return c.notRead("one of several functions")
			}
			results[i] = a.callFunction(&one, f.named.Origin())
		case choice:
			results[i] = a.callChosen(&one, f)
		default:
			results[i] = c.notRead("a function that is a value")
		}
	}
	return merge(of.when, results[0], results[1])
}

// callFunction calls a function by its model, or by its source.
func (a *activation) callFunction(c *call, f *types.Func) value {
	name := f.FullName()
	if model, ok := models[name]; ok {
		if v := model(c); v != nil {
			return v
		}
	}
	if f.Name() == "DeepCopy" && f.Signature().Recv() != nil {
		if p, ok := c.of.(place); ok && asMade(p) != nil {
			return asMade(p)
		}
		return c.of
	}
	if v := c.makesError(f); v != nil {
		return v
	}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if one := a.program.implementation(f); one != nil {
			f = one
		}
	}
	source := a.program.functions[f]
	switch {
	case source == nil:
		return c.notRead("a call of " + name)
	case a.active[f]:
		return c.notRead("the recursive function " + name)
	case len(a.calls) >= deepest:
		return c.notRead(fmt.Sprintf("calls in more than %d calls", deepest))
	}
	a.active[f] = true
	defer delete(a.active, f)
	inner := &state{env: map[types.Object]value{}, path: c.s.path}
	callee := a.of(source, f.Signature().Results())
	callee.bindReceiver(inner, source.declared, c)
	callee.bindParameters(inner, source.declared.Type, c)
	before := maps.Clone(inner.env)
	v := a.inline(c, callee, inner, source.declared.Type, source.declared.Body)
	for o, to := range callee.pointers(c, source.declared) {
		if changed := callee.changed(o, before[o], c.s.path); changed != nil {
			a.assign(c.s, to, changed)
		}
	}
	return v
}

func (a *activation) bindReceiver(s *state, f *ast.FuncDecl, c *call) {
	if f.Recv != nil && len(f.Recv.List[0].Names) == 1 {
		o := a.info.Defs[f.Recv.List[0].Names[0]]
		s.env[o] = c.of
		a.parameters[o] = true
	}
}

// pointers returns the parameters that are pointers, and the variables to which the caller let them point.
func (a *activation) pointers(c *call, f *ast.FuncDecl) map[types.Object]ast.Expr {
	all := map[types.Object]ast.Expr{}
	add := func(o types.Object, e ast.Expr) {
		e = ast.Unparen(e)
		if of, ok := e.(*ast.UnaryExpr); ok {
			e = of.X
		}
		if name := rootName(e); name != nil && o != nil && isPointer(o.Type()) {
			all[o] = e
		}
	}
	if f.Recv != nil && len(f.Recv.List[0].Names) == 1 {
		if of := receiver(c.expr); of != nil {
			add(a.info.Defs[f.Recv.List[0].Names[0]], of)
		}
	}
	i := 0
	for _, parameter := range f.Type.Params.List {
		for _, name := range parameter.Names {
			if i < len(c.expr.Args) {
				add(a.info.Defs[name], c.expr.Args[i])
			}
			i++
		}
	}
	return all
}

// changed returns what a function leaves of a struct that a parameter points to; nil: it is as it was.
func (a *activation) changed(o types.Object, before value, on path) value {
	was := asMade(before)
	if was == nil {
		return nil
	}
	var after value = before
	for _, one := range a.returns {
		after = merge(one.path.beyond(on, true), one.env[o], after)
	}
	if is, ok := after.(*made); ok && !same(after, before) && same(is.base, was.base) {
		return after
	}
	return nil
}

func (a *activation) inlineLiteral(c *call, f closure) value {
	if len(a.calls) >= deepest {
		return c.notRead("a function that calls itself")
	}
	callee := a.of(&function{in: f.in}, c.results)
	inner := &state{env: maps.Clone(c.s.env), path: c.s.path}
	callee.bindParameters(inner, f.literal.Type, c)
	v := a.inline(c, callee, inner, f.literal.Type, f.literal.Body)
	for i, one := range callee.returns { // what it assigned
		if i == 0 {
			c.s.env = maps.Clone(one.env)
		} else {
			c.s.env = mergedEnvs(one.path.beyond(c.s.path, true), one.env, c.s.env)
		}
	}
	return v
}

// bindParameters gives the parameters of a function their values.
func (a *activation) bindParameters(s *state, t *ast.FuncType, c *call) {
	i := 0
	for _, parameter := range t.Params.List {
		_, variadic := parameter.Type.(*ast.Ellipsis)
		for _, name := range parameter.Names {
			o := a.info.Defs[name]
			a.parameters[o] = true
			switch {
			case variadic && c.expr != nil && !c.expr.Ellipsis.IsValid():
				s.env[o] = list{c.args[min(i, len(c.args)):]}
			case i < len(c.args):
				s.env[o] = c.args[i]
			default:
				s.env[o] = a.unreadAt(name.Pos(), "a parameter")
			}
			i++
		}
		if len(parameter.Names) == 0 {
			i++
		}
	}
}

// inline executes the body of a function and returns its results.
func (a *activation) inline(c *call, callee *activation, s *state, t *ast.FuncType, body *ast.BlockStmt) value {
	if t.Results != nil {
		for _, field := range t.Results.List {
			for _, name := range field.Names {
				if o := callee.info.Defs[name]; o != nil {
					s.env[o] = zero(o.Type())
					callee.named = append(callee.named, o)
				}
			}
		}
	}
	if c.expr != nil {
		a.calls = append(a.calls, a.at(c.expr.Pos()))
		defer func() { a.calls = a.calls[:len(a.calls)-1] }()
	}
	entry := s.path
	callee.block(body.List, s)
	if !s.over {
		callee.returns = append(callee.returns, exit{s.path, nil, s.env})
	}
	count := callee.results.Len()
	if count == 0 || len(callee.returns) == 0 {
		if len(callee.returns) == 0 {
			c.s.over = true
		}
		return several{}
	}
	results := make(several, count)
	for i := range count {
		results[i] = callee.result(i, entry)
	}
	if count == 1 {
		return results[0]
	}
	return results
}

// result returns a result of a function, of all its returns.
func (a *activation) result(i int, entry path) value {
	var result value
	for at := len(a.returns) - 1; at >= 0; at-- {
		one := a.returns[at]
		if i >= len(one.values) {
			continue
		}
		v := one.values[i]
		if f, ok := v.(failures); ok {
			v = f.on(one.path)
		} else {
			v = outOf(v, one.path, entry)
		}
		if v == nil {
			v = a.unreadAt(token.NoPos, "a result that a loop finds")
		}
		if result == nil {
			result = v
		} else {
			result = merge(one.path.beyond(entry, true), v, result)
		}
	}
	if result == nil {
		return nothing{}
	}
	return result
}

// outOf returns a value that is returned in loops as one outside of them: that of the item for which it is returned.
func outOf(v value, p, entry path) value {
	for i := len(p) - 1; i >= 0 && v != nil; i-- {
		if !p.shares(entry, i) {
			inner := p[i:]
			v = found(v, inner.beyond(inner[:1].bare(), true), p[i].loop, true)
		}
	}
	return v
}

// notRead returns results that could not be read. Those that are errors are made under a condition that is not known.
func (c *call) notRead(why string) value {
	u := c.unreadAt(c.expr.Pos(), why)
	c.mayChange(u)
	if c.results == nil || c.results.Len() == 0 {
		return u
	}
	all := make(several, c.results.Len())
	for i := range all {
		all[i] = u
		if t := c.results.At(i).Type(); isErrors(t) {
			all[i] = c.fail(c.s, Site{Pos: c.at(c.expr.Pos()), Type: "error", Text: "…", ofLibrary: true}, that(c.opaque(u)))
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// mayChange notes that a function that is not read may have changed what its arguments point to.
func (c *call) mayChange(why unknown) {
	for i, e := range c.expr.Args {
		e = ast.Unparen(e)
		if of, ok := e.(*ast.UnaryExpr); ok && of.Op == token.AND {
			e = of.X
		} else if i >= len(c.args) || asMade(c.args[i]) != c.args[i] || !isPointer(c.info.TypeOf(e)) {
			continue
		}
		if name, ok := e.(*ast.Ident); ok {
			c.assign(c.s, name, why)
		}
	}
}

// changing is the model of functions that change the order or the items of a list, map or set.
func changing(c *call) value {
	u := c.unreadAt(c.expr.Pos(), "a list, map or set that is changed")
	of := receiver(c.expr)
	if c.of == nil && len(c.expr.Args) > 0 {
		of = c.expr.Args[0]
	}
	if name, ok := ast.Unparen(of).(*ast.Ident); ok {
		c.assign(c.s, name, u)
	} else {
		c.leaveOut(c.expr.Pos(), "a change of a list, map or set")
	}
	return u
}

// converted returns a value as another type.
func (a *activation) converted(v value, t types.Type) value {
	switch x := v.(type) {
	case known:
		basic, ok := t.Underlying().(*types.Basic)
		switch {
		case !ok:
		case basic.Info()&types.IsInteger != 0:
			return known{constant.ToInt(x.value), t}
		case basic.Info()&types.IsFloat != 0:
			return known{constant.ToFloat(x.value), t}
		}
		return known{x.value, t}
	case place:
		return place{expr: x.expr, typ: t, has: x.has, of: x.of}
	case term:
		x.typ = t
		return x
	case choice:
		return choice{x.when, a.converted(x.then, t), a.converted(x.otherwise, t)}
	}
	return v
}

func (a *activation) builtin(s *state, name string, x *ast.CallExpr) value {
	switch name {
	case "len":
		return a.size(s, a.eval(s, x.Args[0]), x.Pos())
	case "append":
		return a.appended(s, x)
	case "make":
		switch a.info.TypeOf(x).Underlying().(type) {
		case *types.Map:
			return collection{}
		case *types.Slice:
			return nothing{}
		}
	case "delete", "copy", "clear":
		return changing(&call{activation: a, s: s, expr: x})
	case "new":
		if v, ok := zero(elem(a.info.TypeOf(x))).(*made); ok {
			return v
		}
		return pointer{zero(elem(a.info.TypeOf(x)))}
	case "panic":
		a.panics = append(a.panics, a.fail(s, Site{Pos: a.at(x.Pos()), Type: "panic", Text: "…"}, yes).all...)
		s.over, s.failed = true, true
	}
	return a.unreadAt(x.Pos(), "the function "+name)
}

// appended returns a list with more items.
func (a *activation) appended(s *state, x *ast.CallExpr) value {
	before := a.eval(s, x.Args[0])
	var items []value
	for _, e := range x.Args[1:] {
		items = append(items, a.eval(s, e))
	}
	if base, ok := before.(failures); ok || isErrors(a.info.TypeOf(x)) {
		for _, item := range items {
			switch more := item.(type) {
			case failures:
				base = base.and(more)
			case oneOf:
				base = base.and(more.of)
			}
		}
		return base
	}
	if x.Ellipsis.IsValid() && len(items) == 1 {
		switch more := items[0].(type) {
		case list:
			items = more.items
		case failures:
			return more
		case place:
			if made, ok := a.joined(s, before, more); ok {
				return made
			}
			return a.unreadAt(x.Pos(), "lists that are joined")
		default:
			if _, isNil := before.(nothing); isNil {
				return more
			}
			return a.unreadAt(x.Pos(), "lists that are joined")
		}
	}
	if c, ok := before.(carried); ok {
		before = c.before
	}
	if base, ok := asCollection(before); ok {
		entries := slices.Clip(base.entries)
		for _, item := range items {
			entries = append(entries, entry{s.path.withoutPanics(), nil, item})
		}
		return collection{entries}
	}
	return a.unreadAt(x.Pos(), "a list that is appended to")
}

// joined returns a list with all items of a list of the object.
func (a *activation) joined(s *state, before value, more place) (value, bool) {
	if c, ok := before.(carried); ok {
		before = c.before
	}
	base, ok := asCollection(before)
	if _, isSlice := more.typ.Underlying().(*types.Slice); !ok || !isSlice {
		return nil, false
	}
	l := a.newLoop(more)
	return collection{append(slices.Clip(base.entries), entry{s.path.withoutPanics().in(l), nil, itemOf(more, l)})}, true
}

// asCollection returns a list as one that is filled on paths.
func asCollection(v value) (collection, bool) {
	switch x := v.(type) {
	case nothing:
		return collection{}, true
	case carried:
		return asCollection(x.before)
	case collection:
		return x, true
	case list:
		var made collection
		for _, item := range x.items {
			made.entries = append(made.entries, entry{path{{}}, nil, item})
		}
		return made, true
	}
	return collection{}, false
}

// in reports whether a collection has an entry with a key or, for lists, that item.
func (c *call) in(of value, key value) *condition {
	switch x := of.(type) {
	case list:
		condition := no
		all := make([]celexpr.Expr, len(x.items))
		for i, item := range x.items {
			condition = or(condition, c.compare(token.EQL, item, key, c.expr.Pos()))
			all[i] = c.activation.expr(item)
		}
		if p, ok := key.(place); ok && len(all) > 1 && areKnown(x.items) {
			return c.inConstants(x, p, all)
		}
		return condition
	case collection:
		keyed := collection{}
		for _, one := range x.entries {
			if one.key == nil {
				one.key = one.value
			}
			keyed.entries = append(keyed.entries, one)
		}
		_, present := c.lookup(keyed, key, types.Typ[types.Bool], c.s, c.expr.Pos())
		return present
	case place:
		return and(x.has, that(celexpr.Call("@in", c.activation.expr(key), x.expr)))
	case choice:
		return split(x.when, c.in(x.then, key), c.in(x.otherwise, key))
	case carried:
		return that(c.opaque(x.now))
	case nothing:
		return no
	case unknown:
		return that(c.opaque(x))
	}
	return that(c.opaque(c.unreadAt(c.expr.Pos(), "whether a list has an item")))
}

// inConstants returns the condition that a place has one of some values: absent, it has the zero value.
func (c *call) inConstants(of list, key place, all []celexpr.Expr) *condition {
	is := that(celexpr.Call("@in", key.expr, celexpr.List(all...)))
	for _, item := range of.items {
		if same(item, zero(key.typ)) {
			return or(not(key.has), is)
		}
	}
	return and(key.has, is)
}

func areKnown(items []value) bool {
	for _, item := range items {
		if _, ok := item.(known); !ok {
			return false
		}
	}
	return true
}
