package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// slot is a variable that statements change, or one field of a variable that is a struct.
type slot struct {
	o types.Object
	// field is empty for the whole variable.
	field string
}

// in returns what a slot has; false: the variable is not there.
func (sl slot) in(env map[types.Object]value) (value, bool) {
	v, ok := env[sl.o]
	if !ok || sl.field == "" {
		return v, ok
	}
	m := asMade(v)
	if m == nil {
		return nil, false
	}
	structure := structOf(m.typ)
	for i := range structure.NumFields() {
		if structure.Field(i).Name() == sl.field {
			v := m.field(structure, i)
			return v, v != nil
		}
	}
	return nil, false
}

// name returns the name of a slot as the source has it.
func (sl slot) name() string {
	if sl.field == "" {
		return sl.o.Name()
	}
	return sl.o.Name() + "." + sl.field
}

// typ returns the type of what a slot has.
func (sl slot) typ() types.Type {
	if structure := structOf(sl.o.Type()); sl.field != "" && structure != nil {
		for field := range structure.Fields() {
			if field.Name() == sl.field {
				return field.Type()
			}
		}
	}
	return sl.o.Type()
}

// set gives a slot a value.
func (sl slot) set(env map[types.Object]value, v value) {
	if sl.field == "" {
		env[sl.o] = v
		return
	}
	if m := asMade(env[sl.o]); m != nil {
		env[sl.o] = m.withField(sl.field, v)
	}
}

// changes are what statements change of the variables that a state has, directly or by the functions that they call.
type changes struct {
	program *Program
	info    *types.Info
	state   *state
	body    ast.Node
	all     []slot
	seen    map[slot]bool
	visited map[*ast.FuncLit]bool
	// fills: something is put into a collection.
	fills bool
	// replaces are the variables of types of errors that get other errors, and not more.
	replaces map[types.Object]bool
}

// changesOf returns what statements change of the variables that are declared outside of them.
func (a *activation) changesOf(s *state, body ast.Node) *changes {
	c := &changes{
		program: a.program, info: a.info, state: s, body: body, seen: map[slot]bool{}, visited: map[*ast.FuncLit]bool{},
		replaces: map[types.Object]bool{},
	}
	c.walk(a.info, body)
	return c
}

// walk notes what a part of the source changes.
func (c *changes) walk(info *types.Info, body ast.Node) {
	outer := c.info
	c.info = info
	defer func() { c.info = outer }()
	for node := range ast.Preorder(body) {
		switch st := node.(type) {
		case *ast.AssignStmt:
			c.assignment(st)
		case *ast.IncDecStmt:
			c.add(st.X, "")
			c.fills = c.fills || isIndex(st.X)
		case *ast.CallExpr:
			c.call(st)
		case *ast.Ident:
			if o := info.Uses[st]; o != nil {
				for _, one := range closuresIn(c.state.env[o]) {
					c.closure(one)
				}
			}
		}
	}
}

func (c *changes) assignment(st *ast.AssignStmt) {
	for i, to := range st.Lhs {
		c.add(to, "")
		c.fills = c.fills || isIndex(to)
		c.replace(to, st.Rhs[min(i, len(st.Rhs)-1)])
		if len(st.Rhs) != len(st.Lhs) {
			continue
		}
		c.fills = c.fills || appends(c.info, st.Rhs[i])
		c.addAddress(st.Rhs[i])
	}
}

// replace notes that an error gets the value of an expression, if that does not have the errors of before.
func (c *changes) replace(to, by ast.Expr) {
	name := rootName(to)
	if name == nil || isIndex(to) || !isErrors(c.info.TypeOf(to)) {
		return
	}
	o := c.info.ObjectOf(name)
	for node := range ast.Preorder(by) {
		if used, ok := node.(*ast.Ident); ok && c.info.ObjectOf(used) == o {
			return
		}
	}
	c.replaces[o] = true
}

// closure notes what the body of a closure changes, once.
func (c *changes) closure(one closure) {
	if !c.visited[one.literal] {
		c.visited[one.literal] = true
		c.walk(one.in.TypesInfo, one.literal.Body)
	}
}

// call notes what a function changes of its arguments.
func (c *changes) call(x *ast.CallExpr) {
	of := receiver(x)
	if of != nil {
		switch x.Fun.(*ast.SelectorExpr).Sel.Name {
		case "Insert":
			c.fills = true
			c.add(of, "")
		case "Delete":
			c.add(of, "")
		}
	}
	if name, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && len(x.Args) > 0 {
		_, isBuiltin := c.info.Uses[name].(*types.Builtin)
		if isBuiltin && slices.Contains([]string{"delete", "copy", "clear"}, name.Name) {
			c.add(x.Args[0], "")
		}
	}
	f, _ := typeutil.Callee(c.info, x).(*types.Func)
	if f == nil {
		c.dynamicCall(x)
		return
	}
	for _, one := range c.program.mutationsOf(f.Origin()) {
		switch {
		case one.parameter < 0 && of != nil:
			c.add(of, one.field)
		case one.parameter >= 0 && one.parameter < len(x.Args):
			c.add(x.Args[one.parameter], one.field)
		}
		c.fills = c.fills || one.fills
	}
}

// dynamicCall notes that a function that is a value may change what it gets the address of. The object is not changed.
func (c *changes) dynamicCall(x *ast.CallExpr) {
	for _, e := range x.Args {
		c.addAddress(e)
	}
}

// addAddress notes that a pointer may change that of which it is the address, if it is not the object.
func (c *changes) addAddress(e ast.Expr) {
	of, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || of.Op != token.AND || rootName(of.X) == nil {
		return
	}
	if _, isPlace := c.state.env[c.info.ObjectOf(rootName(of.X))].(place); !isPlace {
		c.add(of.X, "")
	}
}

// add notes that a variable, or a field of one, is changed; within is the field of what the expression is.
func (c *changes) add(e ast.Expr, within string) {
	e = ast.Unparen(e)
	if of, ok := e.(*ast.UnaryExpr); ok {
		e = of.X
	}
	name := rootName(e)
	if name == nil {
		return
	}
	o := c.info.ObjectOf(name)
	if o == nil || o.Pos() >= c.body.Pos() && o.Pos() <= c.body.End() {
		return
	}
	if to, ok := c.state.env[o].(reference); ok {
		c.add(to.to, within)
		return
	}
	field := fieldOfRoot(c.info, e)
	if field == "" && ast.Unparen(e) == name {
		field = within
	}
	one := slot{o, field}
	if _, ok := one.in(c.state.env); !ok {
		one.field = ""
	}
	if !c.seen[one] && !c.seen[slot{o, ""}] {
		c.seen[one] = true
		c.all = append(c.all, one)
	}
}

// slots returns what is changed: of a variable that is changed as a whole, no fields.
func (c *changes) slots() []slot {
	var all []slot
	for _, one := range c.all {
		if one.field == "" || !c.seen[slot{one.o, ""}] {
			all = append(all, one)
		}
	}
	return all
}

// fieldOfRoot returns the field of the variable of which an expression is a part; empty: it is a part of no field.
func fieldOfRoot(info *types.Info, e ast.Expr) string {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if _, isRoot := ast.Unparen(x.X).(*ast.Ident); !isRoot {
				e = x.X
				continue
			}
			selected, structure := info.Selections[x], structOf(info.TypeOf(x.X))
			if selected == nil || structure == nil {
				return ""
			}
			return structure.Field(selected.Index()[0]).Name()
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return ""
		}
	}
}

func isIndex(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok
}

// appends reports whether an expression is a list with more items, which are no errors.
func appends(info *types.Info, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "append" && !isErrors(info.TypeOf(e))
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
