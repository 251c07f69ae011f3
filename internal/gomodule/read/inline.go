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
