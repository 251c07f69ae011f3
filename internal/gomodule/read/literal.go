package read

import (
	"go/ast"
	"go/types"
)

// composite returns a literal of a struct, list or map.
func (a *activation) composite(s *state, x *ast.CompositeLit) value {
	t := a.info.TypeOf(x)
	if site := a.literalError(s, x, t); site != nil {
		return *site
	}
	switch u := elem(t).Underlying().(type) {
	case *types.Struct:
		m := &made{typ: t, fields: map[string]value{}}
		for i, e := range x.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				m.fields[pair.Key.(*ast.Ident).Name] = a.eval(s, pair.Value)
			} else if i < u.NumFields() {
				m.fields[u.Field(i).Name()] = a.eval(s, e)
			}
		}
		return m
	case *types.Map:
		var c collection
		for _, e := range x.Elts {
			pair := e.(*ast.KeyValueExpr)
			c.entries = append(c.entries, entry{path{{}}, a.eval(s, pair.Key), a.eval(s, pair.Value)})
		}
		return c
	case *types.Slice, *types.Array:
		var l list
		var all failures
		for _, e := range x.Elts {
			v := a.eval(s, e)
			if isErrors(t) {
				all = all.and(a.failuresOf(s, v, e.Pos()))
			}
			l.items = append(l.items, v)
		}
		if isErrors(t) {
			return all
		}
		return l
	}
	return a.unreadAt(x.Pos(), "a literal")
}
