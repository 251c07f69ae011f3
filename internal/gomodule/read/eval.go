package read

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// eval returns the value of an expression.
func (a *activation) eval(s *state, e ast.Expr) value {
	e = ast.Unparen(e)
	if of := a.info.Types[e]; of.Value != nil {
		return known{of.Value, of.Type}
	}
	switch x := e.(type) {
	case *ast.Ident:
		return a.name(s, x)
	case *ast.SelectorExpr:
		return a.selection(s, x)
	case *ast.CallExpr:
		return a.call(s, x)
	case *ast.StarExpr:
		return a.dereferenced(a.nonNil(s, a.eval(s, x.X), x.Pos()), x.Pos())
	case *ast.UnaryExpr:
		return a.unary(s, x)
	case *ast.BinaryExpr:
		return a.operation(s, x)
	case *ast.IndexExpr:
		v, _ := a.index(s, x)
		return v
	case *ast.CompositeLit:
		return a.composite(s, x)
	case *ast.FuncLit:
		return closure{literal: x, in: a.in.in}
	case *ast.TypeAssertExpr:
		v, _ := a.assertion(s, x)
		return v
	case *ast.SliceExpr:
		if x.Low == nil && x.High == nil {
			return a.eval(s, x.X)
		}
		if isText(a.info.TypeOf(x.X)) && x.Max == nil {
			return a.substring(s, x)
		}
	}
	return a.unreadAt(e.Pos(), "an expression")
}

// substring returns a part of a text.
func (a *activation) substring(s *state, x *ast.SliceExpr) value {
	args := []celexpr.Expr{celexpr.Literal(int64(0))}
	if x.Low != nil {
		args[0] = a.expr(a.eval(s, x.Low))
	}
	of := a.eval(s, x.X)
	for _, bound := range []ast.Expr{x.Low, x.High} {
		if n := a.info.Types[bound].Value; bound != nil && n != nil && constant.Sign(n) > 0 {
			longer := a.compare(token.GEQ, a.size(s, of, x.Pos()), known{n, types.Typ[types.Int]}, x.Pos())
			a.require(s, longer, x.Pos(), noSlice)
		}
	}
	if x.High != nil {
		args = append(args, a.expr(a.eval(s, x.High)))
	}
	t := a.expr(of)
	made := term{expr: celexpr.Method(t, "substring", args...), typ: types.Typ[types.String]}
	if s.path.saysASCII(t) {
		return made
	}
	bytes := choice{isASCII(t), made, a.unreadAt(x.Pos(), "a part of a text with letters of several bytes")}
	if n, ok := a.info.Types[x.High].Value, x.High != nil; ok && n != nil && x.Low == nil {
		count, _ := constant.Int64Val(n)
		return beginning{t, count, bytes}
	}
	return bytes
}

func (a *activation) name(s *state, x *ast.Ident) value {
	switch o := a.info.ObjectOf(x).(type) {
	case *types.Nil:
		return nothing{}
	case *types.Var:
		if v, ok := s.env[o]; ok {
			if to, ok := v.(reference); ok {
				return a.resolved(s, to)
			}
			return v
		}
		return a.packageVariable(o, x.Pos())
	case *types.Func:
		return closure{named: o}
	}
	return a.unreadAt(x.Pos(), x.Name)
}

// packageVariable returns a variable of a package that no function assigns.
func (a *activation) packageVariable(o *types.Var, pos token.Pos) value {
	first, ok := a.program.initial[o]
	if !ok || a.program.assigned[o] {
		return a.unreadAt(pos, "the variable "+o.Name()+", which functions assign")
	}
	if v, ok := a.variables[o]; ok {
		return v
	}
	inner := a.of(&function{in: first.in}, nil)
	a.variables[o] = a.unreadAt(pos, "the variable "+o.Name())
	v := inner.eval(&state{env: map[types.Object]value{}, path: path{{}}}, first.expr)
	a.variables[o] = v
	return v
}

func (a *activation) selection(s *state, x *ast.SelectorExpr) value {
	selected, ok := a.info.Selections[x]
	if !ok { // of a package
		if o := a.info.Uses[x.Sel]; o != nil {
			switch o := o.(type) {
			case *types.Var:
				return a.packageVariable(o, x.Pos())
			case *types.Func:
				return closure{named: o}
			}
		}
		return a.unreadAt(x.Pos(), x.Sel.Name)
	}
	of := a.eval(s, x.X)
	if selected.Kind() == types.FieldVal {
		of = a.nonNil(s, of, x.Pos())
	} else {
		method, _ := selected.Obj().(*types.Func)
		return closure{named: method, of: a.embedded(of, a.info.TypeOf(x.X), selected.Index())}
	}
	t := a.info.TypeOf(x.X)
	for i, index := range selected.Index() {
		structure := structOf(t)
		if structure == nil {
			return a.unreadAt(x.Pos(), "a field")
		}
		if i > 0 {
			of = a.nonNil(s, of, x.Pos())
		}
		of = a.field(of, structure, index, x.Pos())
		t = structure.Field(index).Type()
	}
	return of
}

// embedded returns the receiver of a method, which may be promoted from an embedded struct.
func (a *activation) embedded(of value, t types.Type, index []int) value {
	for _, i := range index[:len(index)-1] {
		structure := structOf(t)
		if structure == nil {
			return of
		}
		of = a.field(of, structure, i, token.NoPos)
		t = structure.Field(i).Type()
	}
	return of
}

// field returns a field of a value.
func (a *activation) field(of value, structure *types.Struct, index int, pos token.Pos) value {
	field := structure.Field(index)
	switch x := of.(type) {
	case place:
		if v := fieldOf(x, structure, index); v != nil {
			return v
		}
	case *made:
		if v := x.field(structure, index); v != nil {
			return v
		}
	case pointer:
		return a.field(x.to, structure, index, pos)
	case term:
		if v := fieldOfAddress(x, field); v != nil {
			return v
		}
	case choice:
		then, otherwise := a.field(x.then, structure, index, pos), a.field(x.otherwise, structure, index, pos)
		return merge(x.when, then, otherwise)
	case loopVariable:
		return x.now
	case nothing:
		return zero(field.Type()) // a panic, which a guard of before keeps away
	case unknown:
		return x.of(field.Name())
	}
	return a.unreadAt(pos, "the field "+field.Name())
}

func (a *activation) dereferenced(v value, pos token.Pos) value {
	switch x := v.(type) {
	case place:
		return place{expr: x.expr, typ: elem(x.typ), has: x.has, of: x.of}
	case pointer:
		return x.to
	case *made, unknown, failures, term, known:
		return x
	case choice:
		return merge(x.when, a.dereferenced(x.then, pos), a.dereferenced(x.otherwise, pos))
	case nothing:
		return x
	}
	return a.unreadAt(pos, "what a pointer points to")
}

func (a *activation) unary(s *state, x *ast.UnaryExpr) value {
	switch x.Op {
	case token.AND:
		return addressOfValue(a.eval(s, x.X))
	case token.NOT:
		return truth{not(a.condition(a.eval(s, x.X)))}
	case token.SUB:
		return a.binary(token.SUB, zero(a.info.TypeOf(x.X)), a.eval(s, x.X), x.Pos())
	}
	return a.unreadAt(x.Pos(), "the operator "+x.Op.String())
}

func (a *activation) operation(s *state, x *ast.BinaryExpr) value {
	switch x.Op {
	case token.LAND:
		left := a.condition(a.eval(s, x.X))
		if left == no {
			return truth{no}
		}
		return truth{and(left, a.second(s, x.Y, left))}
	case token.LOR:
		left := a.condition(a.eval(s, x.X))
		if left == yes {
			return truth{yes}
		}
		return truth{or(left, a.second(s, x.Y, not(left)))}
	}
	left, right := a.eval(s, x.X), a.eval(s, x.Y)
	a.divisor(s, x.Op, right, x.Pos())
	return a.binary(x.Op, left, right, x.Pos())
}

// second returns the second operand of && or ||, which is evaluated under a condition.
func (a *activation) second(s *state, e ast.Expr, when *condition) *condition {
	inner := s.with(when, false)
	base := inner.path
	result := a.condition(a.eval(inner, e))
	needed := inner.path.beyond(base, true)
	if needed != yes {
		s.need(or(not(when), needed))
	}
	return and(needed, result)
}

// binary returns a comparison, or what an operator computes.
func (a *activation) binary(op token.Token, x, y value, pos token.Pos) value {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return truth{a.comparison(op, x, y, pos)}
	}
	first, isFirst := x.(known)
	second, isSecond := y.(known)
	divides := op == token.QUO || op == token.REM
	if isFirst && isSecond && first.value.Kind() == second.value.Kind() && arithmetic[op] != "" &&
		(!divides || constant.Sign(second.value) != 0) {
		if op == token.QUO && first.value.Kind() == constant.Int {
			op = token.QUO_ASSIGN // of whole numbers
		}
		return a.converted(known{constant.BinaryOp(first.value, op, second.value), first.typ}, first.typ)
	}
	if isFirst && op == token.ADD && first.value.Kind() == constant.Int && constant.Sign(first.value) == 0 {
		return y
	}
	operator, ok := arithmetic[op]
	if !ok {
		return a.unreadAt(pos, "the operator "+op.String())
	}
	made := term{expr: celexpr.Call(operator, a.expr(inBytes(x)), a.expr(inBytes(y))), typ: typeOf(x)}
	if isText(made.typ) {
		made.text = shown(x) + shown(y)
	}
	return a.computedNumber(op, x, y, made, pos)
}

var arithmetic = map[token.Token]string{
	token.ADD: operators.Add,
	token.SUB: operators.Subtract,
	token.MUL: operators.Multiply,
	token.QUO: operators.Divide,
	token.REM: operators.Modulo,
}

func typeOf(v value) types.Type {
	switch x := v.(type) {
	case place:
		return x.typ
	case term:
		return x.typ
	case known:
		return x.typ
	case choice:
		return typeOf(x.then)
	case loopVariable:
		return typeOf(x.before)
	case beginning, folded:
		return types.Typ[types.String]
	}
	return nil
}

// expr returns a value as an expression, which is defined for each object.
func (a *activation) expr(v value) celexpr.Expr {
	switch x := v.(type) {
	case place:
		if z, ok := zero(x.typ).(known); ok {
			return choose(x.has, x.expr, a.expr(z))
		}
		return x.expr
	case known:
		if isFloat(x.typ) {
			n, _ := constant.Float64Val(constant.ToFloat(x.value))
			return celexpr.Literal(n)
		}
		if e := literal(x.value); e != nil {
			return e
		}
	case term:
		return x.expr
	case truth:
		return x.when.asExpr()
	case choice:
		if made := choose(x.when, a.expr(x.then), a.expr(x.otherwise)); !isLarge(made) {
			return made
		}
		return a.opaque(a.unreadAt(token.NoPos, fmt.Sprintf("a value of more than %d parts", largest)))
	case loopVariable:
		return a.opaque(x.now)
	case pointer:
		return a.expr(x.to)
	case position:
		return celexpr.Name(x.of.index)
	case amount:
		if x.count != nil {
			return x.count
		}
		return a.opaque(x.why)
	case beginning:
		return a.expr(x.otherwise)
	case folded:
		return a.expr(x.otherwise)
	case nothing:
		return celexpr.Literal(nil)
	case list:
		items := make([]celexpr.Expr, len(x.items))
		for i, item := range x.items {
			items[i] = a.expr(item)
		}
		return celexpr.List(items...)
	case unknown:
		return a.opaque(x)
	}
	return a.opaque(a.unreadAt(token.NoPos, "a value"))
}

// condition returns a value that is a bool as a condition.
func (a *activation) condition(v value) *condition {
	switch x := v.(type) {
	case truth:
		return x.when
	case known:
		return that(literal(x.value))
	case loopVariable:
		return that(a.opaque(x.now))
	case place:
		return and(x.has, that(x.expr))
	case choice:
		return split(x.when, a.condition(x.then), a.condition(x.otherwise))
	}
	return that(a.expr(v))
}
