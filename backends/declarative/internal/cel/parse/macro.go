package parse

import (
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types/ref"
)

// expand expands a call that is a macro.
func (p *reader) expand(function string, target ast.Expr, args []ast.Expr) (e ast.Expr, expanded bool) {
	member := target != nil
	m, ok := p.macros[signature{function, len(args), member}]
	if !ok {
		if m, ok = p.macros[signature{function, anyNumber, member}]; !ok {
			return nil, false
		}
	}
	e, err := m.Expander()(&expander{p}, target, args)
	if err != nil {
		return p.giveUp(), true
	}
	return e, e != nil
}

// expander makes expressions for macros. It implements parser.ExprHelper.
type expander struct{ *reader }

// Copy copies an expression with new node numbers.
func (x *expander) Copy(e ast.Expr) ast.Expr {
	made := x.factory.CopyExpr(e)
	made.RenumberIDs(func(int64) int64 { return x.id() })
	return made
}

func (x *expander) NewLiteral(value ref.Val) ast.Expr { return x.factory.NewLiteral(x.id(), value) }

func (x *expander) NewList(elems ...ast.Expr) ast.Expr {
	return x.factory.NewList(x.id(), elems, []int32{})
}

func (x *expander) NewMap(entries ...ast.EntryExpr) ast.Expr {
	return x.factory.NewMap(x.id(), entries)
}

func (x *expander) NewMapEntry(key, val ast.Expr, optional bool) ast.EntryExpr {
	return x.factory.NewMapEntry(x.id(), key, val, optional)
}

func (x *expander) NewStruct(typeName string, fields ...ast.EntryExpr) ast.Expr {
	return x.factory.NewStruct(x.id(), typeName, fields)
}

func (x *expander) NewStructField(field string, init ast.Expr, optional bool) ast.EntryExpr {
	return x.factory.NewStructField(x.id(), field, init, optional)
}

func (x *expander) NewComprehension(over ast.Expr, variable, accumulator string, init, condition, step, result ast.Expr) ast.Expr {
	return x.factory.NewComprehension(x.id(), over, variable, accumulator, init, condition, step, result)
}

func (x *expander) NewComprehensionTwoVar(over ast.Expr, first, second, accumulator string,
	init, condition, step, result ast.Expr) ast.Expr {
	return x.factory.NewComprehensionTwoVar(x.id(), over, first, second, accumulator, init, condition, step, result)
}

func (x *expander) NewIdent(name string) ast.Expr { return x.factory.NewIdent(x.id(), name) }

func (x *expander) NewAccuIdent() ast.Expr { return x.factory.NewAccuIdent(x.id()) }

func (x *expander) AccuIdentName() string { return x.factory.AccuIdentName() }

func (x *expander) NewCall(function string, args ...ast.Expr) ast.Expr {
	return x.factory.NewCall(x.id(), function, args...)
}

func (x *expander) NewMemberCall(function string, target ast.Expr, args ...ast.Expr) ast.Expr {
	return x.factory.NewMemberCall(x.id(), function, target, args...)
}

func (x *expander) NewPresenceTest(operand ast.Expr, field string) ast.Expr {
	return x.factory.NewPresenceTest(x.id(), operand, field)
}

func (x *expander) NewSelect(operand ast.Expr, field string) ast.Expr {
	return x.factory.NewSelect(x.id(), operand, field)
}

func (x *expander) OffsetLocation(int64) common.Location { return common.NoLocation }

func (x *expander) NewError(id int64, message string) *common.Error {
	return common.NewError(id, message, common.NoLocation)
}
