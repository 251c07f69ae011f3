package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

func (a *activation) bindReceiver(s *state, f *ast.FuncDecl, c *call) {
	if f.Recv != nil && len(f.Recv.List[0].Names) == 1 {
		o := a.info.Defs[f.Recv.List[0].Names[0]]
		s.env[o] = c.of
		a.parameters[o] = true
	}
}

// sharedArgument is a parameter that shares what the caller has, and the expression of the caller.
type sharedArgument struct {
	parameter types.Object
	of        ast.Expr
	// address: the caller gave the address of the expression.
	address bool
}

// sharedArguments returns the parameters that are pointers or maps, in the order of the source.
func (a *activation) sharedArguments(c *call, recv *ast.FieldList, t *ast.FuncType) []sharedArgument {
	var all []sharedArgument
	add := func(o types.Object, e ast.Expr) {
		one := sharedArgument{o, ast.Unparen(e), false}
		if of, ok := one.of.(*ast.UnaryExpr); ok {
			one.of, one.address = of.X, true
		}
		if name := rootName(one.of); name != nil && o != nil && isShared(o.Type()) {
			all = append(all, one)
		}
	}
	if recv != nil && len(recv.List[0].Names) == 1 {
		if of := receiver(c.expr); of != nil {
			add(a.info.Defs[recv.List[0].Names[0]], of)
		}
	}
	i := 0
	for _, parameter := range t.Params.List {
		for _, name := range parameter.Names {
			if i < len(c.expr.Args) {
				add(a.info.Defs[name], c.expr.Args[i])
			}
			i++
		}
	}
	return all
}

// changed returns what a function leaves of what a parameter shares with the caller; nil: it is as it was.
func (a *activation) changed(o types.Object, before value, on path) value {
	pointedTo := func(v value) value {
		if p, ok := v.(pointer); ok {
			return p.to
		}
		return v
	}
	after := pointedTo(before)
	switch before.(type) {
	case failures, pointer, collection, list:
		for _, one := range a.returns {
			after = merge(one.path.beyond(on, true), pointedTo(one.env[o]), after)
		}
		if !same(after, pointedTo(before)) {
			return after
		}
		return nil
	}
	was := asMade(before)
	if was == nil {
		return nil
	}
	for _, one := range a.returns {
		after = merge(one.path.beyond(on, true), one.env[o], after)
	}
	if is, ok := after.(*made); ok && !same(after, before) && same(is.base, was.base) {
		return after
	}
	return nil
}

// writeAllBack gives the caller what a function left of all shared arguments.
func (a *activation) writeAllBack(c *call, callee *activation, before map[types.Object]value, all []sharedArgument) {
	for _, one := range all {
		if changed := callee.changed(one.parameter, before[one.parameter], c.s.path); changed != nil {
			a.writeBack(c.s, one, changed)
		}
	}
}

// writeBack gives the caller what a function left of a shared argument.
func (a *activation) writeBack(s *state, one sharedArgument, v value) {
	if one.address {
		a.assign(s, one.of, v)
		return
	}
	if name, ok := one.of.(*ast.Ident); ok {
		if _, isPointer := s.env[a.info.ObjectOf(name)].(pointer); isPointer {
			v = pointer{v}
		}
	}
	a.store(s, one.of, v)
}

// leaveVariables gives the caller what a function that has its variables left in them.
func (a *activation) leaveVariables(c *call) {
	env := c.s.env
	for i, one := range a.returns {
		left := map[types.Object]value{}
		for o := range env {
			if v, ok := one.env[o]; ok {
				left[o] = v
			}
		}
		if i == 0 {
			c.s.env = left
		} else {
			c.s.env = mergedEnvs(one.path.beyond(c.s.path, true), left, c.s.env)
		}
	}
}

func (a *activation) inlineLiteral(c *call, f closure) value {
	if len(a.calls) >= deepest {
		return c.notRead("a function that calls itself")
	}
	callee := a.of(&function{in: f.in}, c.results)
	inner := &state{env: maps.Clone(c.s.env), path: c.s.path}
	for o, v := range f.captured {
		if _, ok := inner.env[o]; !ok {
			inner.env[o] = v
		}
	}
	callee.bindParameters(inner, f.literal.Type, c)
	before := maps.Clone(inner.env)
	v := a.inline(c, callee, inner, f.literal.Type, f.literal.Body)
	callee.leaveVariables(c)
	a.writeAllBack(c, callee, before, callee.sharedArguments(c, nil, f.literal.Type))
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
	a.inlined++
	defer func(before int) { a.inCall = before }(a.inCall)
	a.inCall = a.inlined
	entry := s.path
	callee.entry = &entry
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
			v = outOf(withCaptured(v, one.env), one.path, entry)
		}
		if v == nil {
			v = a.unreadAt(token.NoPos, "a result that a loop finds")
		}
		first, isErrors := result.(failures)
		if result == nil {
			result = v
		} else if f, ok := v.(failures); ok && isErrors {
			result = f.and(first)
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
