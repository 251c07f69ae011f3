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
		c.of = literal.of
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
	if _, isNil := of.then.(nothing); isNil {
		of = choice{not(of.when), of.otherwise, of.then}
	}
	if f, ok := of.then.(closure); ok && of.otherwise == (nothing{}) && f.named != nil {
		a.require(c.s, of.when, c.expr.Pos(), nilPointer)
		return a.callFunction(c, f.named.Origin())
	}
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
			if mayBeNil(p) {
				return choice{p.has, asMade(p), nothing{}}
			}
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
		u := c.unreadAt(c.expr.Pos(), "a call of "+name)
		u.unread.Class = classOf(name)
		for _, v := range append([]value{c.of}, c.args...) {
			if of, ok := v.(unknown); ok && of.unread.Class != "" {
				u = of
			}
		}
		return c.open(u)
	case a.active[f]:
		return c.notRead("the recursive function " + name)
	case len(a.calls) >= deepest:
		return c.notRead(fmt.Sprintf("calls in more than %d calls", deepest))
	}
	a.active[f] = true
	defer delete(a.active, f)
	inner, sharesVariables := &state{env: map[types.Object]value{}, path: c.s.path}, c.hasClosures()
	if sharesVariables {
		inner.env = maps.Clone(c.s.env)
	}
	callee := a.of(source, f.Signature().Results())
	callee.bindReceiver(inner, source.declared, c)
	callee.bindParameters(inner, source.declared.Type, c)
	before := maps.Clone(inner.env)
	v := a.inline(c, callee, inner, source.declared.Type, source.declared.Body)
	if sharesVariables {
		callee.leaveVariables(c)
	}
	a.writeAllBack(c, callee, before, callee.sharedArguments(c, source.declared.Recv, source.declared.Type))
	return v
}

// hasClosures reports whether a function gets closures, whose variables are those of the caller.
func (c *call) hasClosures() bool {
	return slices.ContainsFunc(append(slices.Clone(c.args), c.of), func(v value) bool { return len(closuresIn(v)) > 0 })
}

// notRead returns results that could not be read.
func (c *call) notRead(why string) value { return c.open(c.unreadAt(c.expr.Pos(), why)) }

// open returns results that could not be read. Those that are errors are made under a condition that is not known.
func (c *call) open(u unknown) value {
	c.mayChange(u)
	if c.results == nil || c.results.Len() == 0 {
		return u
	}
	all := make(several, c.results.Len())
	for i := range all {
		u := u.of(fmt.Sprint("result ", i))
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
			c.store(c.s, name, why.of(fmt.Sprint("argument ", i)))
		}
	}
}

// isOrder reports whether a call is one of a function that changes the order of a list.
func isOrder(x *ast.CallExpr) bool {
	of, ok := x.Fun.(*ast.SelectorExpr)
	return ok && of.Sel.Name != "Delete" && of.Sel.Name != "Clear"
}

// changing is the model of functions that change the order or the items of a list, map or set.
func changing(c *call) value {
	if of, ok := append(c.args, nil)[0].(collection); ok && c.of == nil && isOrder(c.expr) {
		return of // the order of what loops gather is not read
	}
	u := c.unreadAt(c.expr.Pos(), "a list, map or set that is changed")
	of := receiver(c.expr)
	if c.of == nil && len(c.expr.Args) > 0 {
		of = c.expr.Args[0]
	}
	if name, ok := ast.Unparen(of).(*ast.Ident); ok {
		c.store(c.s, name, u)
	} else {
		c.leaveOut(c.expr.Pos(), "a change of a list, map or set")
	}
	return u
}

// characters returns a text as a list of bytes or of runes, of which only the size is read.
func (a *activation) characters(of term, t types.Type) value {
	of.typ = t
	if list, ok := t.Underlying().(*types.Slice); ok && types.Identical(list.Elem().Underlying(), types.Typ[types.Byte]) {
		of.expr = celexpr.Call("bytes", of.expr)
	}
	return of
}

// converted returns a value as another type.
func (a *activation) converted(v value, t types.Type) value {
	switch x := v.(type) {
	case known:
		basic, ok := t.Underlying().(*types.Basic)
		switch {
		case !ok:
		case basic.Info()&types.IsInteger != 0:
			return wrappedConstant(constant.ToInt(x.value), t)
		case basic.Info()&types.IsFloat != 0:
			return known{constant.ToFloat(x.value), t}
		}
		return known{x.value, t}
	case place:
		if !isPointer(x.typ) { // the address of a field
			t = elem(t)
		}
		if isText(x.typ) && isList(t) {
			return a.characters(term{expr: a.expr(x)}, t)
		}
		if number := a.convertedNumber(x, x.typ, t); number != nil {
			return number
		}
		return place{expr: x.expr, typ: t, has: x.has, of: x.of, inBytes: x.inBytes, within: numbersOf(x)}
	case term:
		if isText(x.typ) && isList(t) {
			return a.characters(x, t)
		}
		if number := a.convertedNumber(x, x.typ, t); number != nil {
			return number
		}
		x.within = numbersOf(x)
		x.typ = t
		return x
	case position, amount:
		if isFloat(t) {
			return term{expr: celexpr.Call("double", a.expr(v)), typ: t}
		}
	case choice:
		return choice{x.when, a.converted(x.then, t), a.converted(x.otherwise, t)}
	}
	return v
}
