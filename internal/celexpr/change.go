package celexpr

import (
	"iter"

	"github.com/google/cel-go/common/ast"
)

// Parts returns an expression and all its parts, each before its own. Nil has none.
func Parts(e Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) {
		if e != nil {
			visit(e, yield)
		}
	}
}

func visit(e Expr, yield func(Expr) bool) bool {
	return yield(e) && eachPart(e, func(part Expr) bool { return visit(part, yield) })
}

// PartsOf returns the operands, arguments or elements that an expression consists of.
func PartsOf(e Expr) (all []Expr) {
	eachPart(e, func(part Expr) bool {
		all = append(all, part)
		return true
	})
	return all
}

// eachPart calls a function for each of the operands, arguments or elements of an expression, until it returns false.
func eachPart(e Expr, yield func(Expr) bool) bool {
	each := func(parts []Expr) bool {
		for _, part := range parts {
			if !yield(part) {
				return false
			}
		}
		return true
	}
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		return (!call.IsMemberFunction() || yield(call.Target())) && each(call.Args())
	case ast.SelectKind:
		return yield(e.AsSelect().Operand())
	case ast.ListKind:
		return each(e.AsList().Elements())
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			if of := entry.AsMapEntry(); !yield(of.Key()) || !yield(of.Value()) {
				return false
			}
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			if !yield(field.AsStructField().Value()) {
				return false
			}
		}
	}
	return true
}

// Replace returns a copy of an expression in which others stand in place of parts. The function returns the new part;
// nil: the part stays, and its own parts are asked about.
func Replace(e Expr, by func(Expr) Expr) Expr {
	if made := by(e); made != nil {
		return made
	}
	return children(e, func(part Expr) Expr { return Replace(part, by) })
}

// Rewrite returns a copy of an expression in which what a function returns stands in place of each part, the inner ones first.
func Rewrite(e Expr, by func(Expr) Expr) Expr {
	return by(children(e, func(part Expr) Expr { return Rewrite(part, by) }))
}

// children returns an expression with others in place of its parts.
func children(e Expr, by func(Expr) Expr) Expr {
	all := func(parts []Expr) []Expr {
		made := make([]Expr, len(parts))
		for i, part := range parts {
			made[i] = by(part)
		}
		return made
	}
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		if call.IsMemberFunction() {
			return factory.NewMemberCall(e.ID(), call.FunctionName(), by(call.Target()), all(call.Args())...)
		}
		return factory.NewCall(e.ID(), call.FunctionName(), all(call.Args())...)
	case ast.SelectKind:
		return factory.NewSelect(e.ID(), by(e.AsSelect().Operand()), e.AsSelect().FieldName())
	case ast.ListKind:
		return factory.NewList(e.ID(), all(e.AsList().Elements()), e.AsList().OptionalIndices())
	case ast.MapKind:
		var entries []ast.EntryExpr
		for _, entry := range e.AsMap().Entries() {
			of := entry.AsMapEntry()
			entries = append(entries, factory.NewMapEntry(entry.ID(), by(of.Key()), by(of.Value()), of.IsOptional()))
		}
		return factory.NewMap(e.ID(), entries)
	case ast.StructKind:
		var fields []ast.EntryExpr
		for _, field := range e.AsStruct().Fields() {
			of := field.AsStructField()
			fields = append(fields, factory.NewStructField(field.ID(), of.Name(), by(of.Value()), of.IsOptional()))
		}
		return factory.NewStruct(e.ID(), e.AsStruct().TypeName(), fields)
	}
	return e
}
