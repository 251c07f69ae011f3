package read

import (
	"go/ast"
	"go/token"
	"go/types"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// made is a struct, or a pointer to one, that the program makes.
type made struct {
	typ    types.Type
	fields map[string]value
	// base is the part of the object that it is a copy of; nil: fields that are not set have their zero values.
	base value
}

// edited is a copy of a list of the object of which a loop over it changed each item.
type edited struct {
	of   place
	loop *loop
	item value
}

// asMade returns a struct of the object as a copy; nil: a value is none.
func asMade(v value) *made {
	switch x := v.(type) {
	case *made:
		return x
	case place:
		if structOf(x.typ) != nil {
			return &made{x.typ, map[string]value{}, x}
		}
	}
	return nil
}

// field returns a field of a struct; nil: JSON does not have it.
func (m *made) field(structure *types.Struct, index int) value {
	field := structure.Field(index)
	if v, ok := m.fields[field.Name()]; ok {
		return v
	}
	switch base := m.base.(type) {
	case place:
		return fieldOf(base, structure, index)
	case unknown:
		return base.of(field.Name())
	}
	return zero(field.Type())
}

// mayBeNil reports whether a value is a pointer of the object, which may not be there.
func mayBeNil(v value) bool {
	p, ok := v.(place)
	return ok && isPointer(p.typ) && p.has != yes
}

// mergedStructs returns the struct that is one or another; nil: that is no struct.
func mergedStructs(condition *condition, first, second value) value {
	one, other := asMade(first), asMade(second)
	if mayBeNil(first) || mayBeNil(second) {
		return nil
	}
	if one == nil || other == nil || !same(one.base, other.base) || len(one.fields)+len(other.fields) == 0 {
		return nil
	}
	structure := structOf(one.typ)
	merged := &made{one.typ, map[string]value{}, one.base}
	for i := range structure.NumFields() {
		name := structure.Field(i).Name()
		_, has := one.fields[name]
		if _, also := other.fields[name]; has || also {
			merged.fields[name] = merge(condition, one.field(structure, i), other.field(structure, i))
		}
	}
	return merged
}

// assignField sets a field of a struct, which may be one of an embedded struct.
func (a *activation) assignField(s *state, x *ast.SelectorExpr, v value) {
	selected := a.info.Selections[x]
	if selected == nil { // a variable of a package
		return
	}
	of := a.eval(s, x.X)
	if name, ok := ast.Unparen(x.X).(*ast.Ident); ok && a.isAlias(s, name, of) {
		a.leaveOut(x.Pos(), "a change of the object through the pointer "+name.Name)
	}
	a.store(s, x.X, a.withField(of, a.info.TypeOf(x.X), selected.Index(), v, x.Pos()))
}

// isAlias reports whether a variable points to a part of what another variable has.
func (a *activation) isAlias(s *state, name *ast.Ident, of value) bool {
	o := a.info.ObjectOf(name)
	_, isPlace := of.(place)
	_, isReference := s.env[o].(reference)
	return isPlace && !isReference && isPointer(o.Type()) && !a.parameters[o]
}

func (a *activation) withField(of value, t types.Type, index []int, v value, pos token.Pos) value {
	if before, ok := of.(loopVariable); ok {
		of = before.before
	}
	if c, ok := of.(choice); ok {
		return merge(c.when, a.withField(c.then, t, index, v, pos), a.withField(c.otherwise, t, index, v, pos))
	}
	if f, ok := of.(failures); ok {
		return a.edited(f, func(site *Site) { site.setField(structOf(t).Field(index[0]).Name(), shown(v)) })
	}
	m, structure := asMade(of), structOf(t)
	if m == nil || structure == nil {
		return a.unreadAt(pos, "a struct that is changed")
	}
	field := structure.Field(index[0])
	if len(index) > 1 {
		v = a.withField(a.field(m, structure, index[0], pos), field.Type(), index[1:], v, pos)
	}
	return m.withField(field.Name(), v)
}

// assignItem sets an item of a list of the object in a loop over it.
func (a *activation) assignItem(s *state, to ast.Expr, of, key, v value) bool {
	if before, ok := of.(loopVariable); ok {
		of = before.before
	}
	at, ok := key.(position)
	if !ok {
		return false
	}
	list, ok := of.(place)
	if e, isEdited := of.(edited); isEdited {
		list, ok = e.of, true
	}
	if !ok || !sameExpr(at.of.list, list.expr) {
		return false
	}
	a.store(s, to, edited{list, at.of, v})
	return true
}

// edits returns a variable after a loop that changes items of a list of the object in place; nil: the loop changes
// something else.
func (a *activation) edits(of slot, before value, l *loop, base path, exits []*state) value {
	var all value
	changed := false
	for _, exit := range exits {
		v, _ := of.in(exit.env)
		if c, ok := v.(loopVariable); ok {
			v = c.before
		}
		if !same(v, before) {
			if !changesItems(v, before, l) {
				return nil
			}
			changed = true
		}
		if all == nil {
			all = v
		} else {
			all = merge(exit.path.beyond(base, true), v, all)
		}
	}
	if !changed {
		return nil
	}
	return all
}

// changesItems reports whether a value differs from another one only in the items of a list.
func changesItems(v, before value, l *loop) bool {
	if e, ok := v.(edited); ok {
		return e.loop == l
	}
	m, was := asMade(v), asMade(before)
	if m == nil || was == nil || !same(m.base, was.base) {
		return false
	}
	structure := structOf(m.typ)
	for i := range structure.NumFields() {
		if _, ok := m.fields[structure.Field(i).Name()]; !ok {
			continue
		}
		x, y := m.field(structure, i), was.field(structure, i)
		if !same(x, y) && !changesItems(x, y, l) {
			return false
		}
	}
	return true
}

// itemIn returns the item of an edited list in a loop over the list.
func (e edited) itemIn(l *loop) value {
	return renamed(e.item, func(x celexpr.Expr) celexpr.Expr { return replacedNames(x, e.loop, l) })
}

// mergedItems returns a list whose items are those of one or another, in a loop.
func mergedItems(condition *condition, one, other value) value {
	x, isEdited := one.(edited)
	if !isEdited {
		if x, isEdited = other.(edited); !isEdited {
			return nil
		}
	}
	item := func(v value) value {
		switch v := v.(type) {
		case edited:
			return v.itemIn(x.loop)
		case place:
			if same(v, x.of) {
				return itemOf(v, x.loop)
			}
		}
		return nil
	}
	first, second := item(one), item(other)
	if first == nil || second == nil {
		return nil
	}
	return edited{x.of, x.loop, merge(condition, first, second)}
}

// renamed returns a value with its expressions replaced.
func renamed(v value, by func(celexpr.Expr) celexpr.Expr) value {
	switch x := v.(type) {
	case place:
		made := place{expr: by(x.expr), typ: x.typ, has: x.has.replaced(by), of: x.of, within: x.within}
		if x.inBytes != nil {
			made.inBytes = by(x.inBytes)
		}
		return made
	case truth:
		return truth{x.when.replaced(by)}
	case term:
		made := term{expr: by(x.expr), typ: x.typ, text: x.text, isNet: x.isNet, within: x.within}
		if x.source != nil {
			made.source = by(x.source)
		}
		if x.inBytes != nil {
			made.inBytes = by(x.inBytes)
		}
		return made
	case pointer:
		return pointer{renamed(x.to, by)}
	case choice:
		return choice{x.when.replaced(by), renamed(x.then, by), renamed(x.otherwise, by)}
	case *made:
		m := &made{typ: x.typ, fields: map[string]value{}}
		if x.base != nil {
			m.base = renamed(x.base, by)
		}
		for name, field := range x.fields {
			m.fields[name] = renamed(field, by)
		}
		return m
	}
	return v
}

// equalStructs returns the condition that all fields of two structs are equal.
func (a *activation) equalStructs(m *made, other value, pos token.Pos) *condition {
	condition := yes
	if p, ok := other.(place); ok && isPointer(p.typ) {
		condition = p.has
	}
	with, structure := asMade(other), structOf(m.typ)
	if with == nil || structure == nil {
		return that(a.opaque(a.unreadAt(pos, "whether structs are equal")))
	}
	for i := range structure.NumFields() {
		x, y := m.field(structure, i), with.field(structure, i)
		if x == nil || y == nil {
			continue
		}
		if p, ok := x.(place); ok && structure.Field(i).Embedded() {
			if base, ok := m.base.(place); ok && base.expr == p.expr { // its fields are those of the struct
				x = asMade(x)
			}
		}
		condition = and(condition, a.equalFields(x, y, pos))
	}
	return condition
}

// equalFields returns the condition that two fields are equal. Those of the object are compared as optional values:
// there are many.
func (a *activation) equalFields(x, y value, pos token.Pos) *condition {
	if of, ok := x.(choice); ok {
		return split(of.when, a.equalFields(of.then, y, pos), a.equalFields(of.otherwise, y, pos))
	}
	first, isFirst := x.(place)
	second, isSecond := y.(place)
	if !isFirst || !isSecond || same(first, second) {
		return a.equal(x, y, pos)
	}
	one, other := optional(first.expr), optional(second.expr)
	if one == first.expr || other == second.expr {
		return a.equal(x, y, pos)
	}
	if z, isScalar := zero(first.typ).(known); isScalar {
		one, other = celexpr.Method(one, "orValue", literal(z.value)), celexpr.Method(other, "orValue", literal(z.value))
	} else if none := a.none(first); none != nil {
		one, other = celexpr.Method(one, "orValue", none), celexpr.Method(other, "orValue", none)
	}
	return that(celexpr.Call(operators.Equals, one, other))
}

// optional returns a selection of which each part may be absent.
func optional(e celexpr.Expr) celexpr.Expr {
	if e.Kind() != celast.SelectKind {
		return e
	}
	return celexpr.Call(operators.OptSelect, optional(e.AsSelect().Operand()), celexpr.Literal(e.AsSelect().FieldName()))
}

// equalItems returns the condition that all items of two lists are equal.
func (a *activation) equalItems(e edited, other value, pos token.Pos) *condition {
	with, ok := other.(place)
	if !ok {
		return that(a.opaque(a.unreadAt(pos, "whether lists are equal")))
	}
	_, isSlice := elem(with.typ).Underlying().(*types.Slice)
	if !isSlice || e.loop.isMap {
		return that(a.opaque(a.unreadAt(pos, "whether maps are equal")))
	}
	second := itemOf(with, e.loop)
	second.expr = celexpr.Call(operators.Index, with.expr, celexpr.Name(e.loop.index))
	different := not(a.equal(e.item, second, pos))
	size := func(p place) celexpr.Expr { return celexpr.Call("size", p.expr) }
	return or(and(a.without(e.of), a.without(with)),
		and(e.of.has, with.has, that(celexpr.Call(operators.Equals, size(e.of), size(with))), not(e.loop.exists(different))))
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
