package rules

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/openapi"
)

// answered returns an expression about the values of the scope without the questions that the schema answers: a field that it
// requires or sets is set, and one that it does not have is not, because the API server drops it.
func (s *Facts) answered(e celexpr.Expr) celexpr.Expr {
	places := s.placesOf(e)
	return celexpr.Fold(celexpr.Rewrite(e, func(part celexpr.Expr) celexpr.Expr {
		if field := celexpr.HasOf(part); field != nil {
			at, isField := placeIn(places, field)
			switch {
			case isAbsent(field) || isField && s.drops(at):
				return celexpr.Literal(false)
			case isField && s.isSet(at):
				return celexpr.Literal(true)
			}
			return part
		}
		if of := celexpr.ArgsOf(part, operators.OptSelect); of != nil {
			if at, isField := placeIn(places, part); isAbsent(of[0]) || isField && s.drops(at) {
				return celexpr.Method(celexpr.Name("optional"), "none")
			}
		}
		return withoutAbsent(part)
	}))
}

// withoutAbsent returns an expression whose operand is known to be absent, or whose operands are known to be equal, as its value.
func withoutAbsent(e celexpr.Expr) celexpr.Expr {
	call := e.AsCall()
	switch name := call.FunctionName(); {
	case call.IsMemberFunction() && name == "orValue" && isAbsent(call.Target()):
		return call.Args()[0]
	case call.IsMemberFunction() && name == "hasValue" && isAbsent(call.Target()):
		return celexpr.Literal(false)
	case call.IsMemberFunction() && (name == "optMap" || name == "optFlatMap") && isAbsent(call.Target()):
		return call.Target()
	case name == operators.Equals || name == operators.NotEquals:
		a, b := call.Args()[0], call.Args()[1]
		left, isLeft := celexpr.TextOf(a)
		right, isRight := celexpr.TextOf(b)
		if isAbsent(a) && isAbsent(b) || isLeft && isRight {
			return celexpr.Literal((left == right) == (name == operators.Equals))
		}
	}
	return e
}

// isAbsent reports whether an expression is "optional.none()".
func isAbsent(e celexpr.Expr) bool {
	call := e.AsCall()
	return call.IsMemberFunction() && call.FunctionName() == "none" && call.Target().AsIdent() == "optional"
}

// placesOf returns the places of the values that the names of an expression stand for, without names for different ones.
func (s *Facts) placesOf(e celexpr.Expr) map[string]evidence.Place {
	places := map[string]evidence.Place{"self": {}, "oldSelf": {}}
	known := map[string]bool{}
	for part := range celexpr.Parts(e) { // a loop before those in it
		loop, is := celexpr.LoopOf(part)
		if !is {
			continue
		}
		over, isField := placeIn(places, loop.Over)
		if loop.Function != "bind" && loop.Function != "optMap" && loop.Function != "optFlatMap" {
			isField = isField && (len(loop.Names) == 2 || s.KindOf(over) == List)
			over = over.Below(evidence.AnyItem)
		}
		name := loop.Names[len(loop.Names)-1]
		switch {
		case known[name] && (!isField || !slices.Equal(places[name], over)):
			delete(places, name)
		case isField:
			places[name] = over
		}
		known[name] = true
	}
	return places
}

// placeIn returns the place of a field. It returns false if the expression is something else.
func placeIn(places map[string]evidence.Place, e celexpr.Expr) (evidence.Place, bool) {
	below := func(of celexpr.Expr, name string) (evidence.Place, bool) {
		at, is := placeIn(places, of)
		return at.Below(name), is
	}
	switch e.Kind() {
	case ast.IdentKind:
		at, is := places[e.AsIdent()]
		return at, is
	case ast.SelectKind:
		return below(e.AsSelect().Operand(), celexpr.Unescape(e.AsSelect().FieldName()))
	case ast.CallKind:
		args := e.AsCall().Args()
		switch e.AsCall().FunctionName() {
		case operators.OptSelect:
			name, _ := celexpr.TextOf(args[1])
			return below(args[0], celexpr.Unescape(name))
		case operators.Index, operators.OptIndex:
			return below(args[0], evidence.AnyItem)
		case operators.Filter:
			return placeIn(places, e.AsCall().Target())
		}
	}
	return nil, false
}

// drops reports whether the API server drops a field, because the schema has neither it nor others that are not named.
func (s *Facts) drops(at evidence.Place) bool {
	if len(at) == 0 || at[len(at)-1] == evidence.AnyItem {
		return false
	}
	isRoot := len(s.Scope) == 0
	if s.Evidence.Requests != nil && isOfRequest(at) {
		return false
	}
	around := s.Schema
	for _, name := range at {
		if around == nil {
			return false
		}
		x, errs := openapi.ReadExtensions(around, nil)
		isOfObject := (isRoot || x.EmbeddedResource) && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name)
		if len(errs) > 0 || isOfObject || x.Preserves() {
			return false
		}
		_, declared := around.Properties[name]
		if name != evidence.AnyItem && !declared && around.AdditionalProperties == nil {
			return true
		}
		around, isRoot = evidence.SchemaBelow(around, name), false
	}
	return false
}

// isOfRequest reports whether a place of the document of a request is about the request, or in the metadata of an object: nothing of
// both is dropped.
func isOfRequest(at evidence.Place) bool {
	return at[0] == evidence.FieldRequest || len(at) > 2 && at[1] == "metadata"
}

// isSet reports whether an object that the schema accepts has a field where it has what is around it.
func (s *Facts) isSet(at evidence.Place) bool {
	if len(at) == 0 || s.SchemaAt(at) == nil {
		return false
	}
	if s.SchemaAt(at).Default != nil {
		return true
	}
	around := s.SchemaAt(at.Parent())
	return slices.Contains(around.Required, at[len(at)-1]) && !s.Evidence.AbsentInStored[slices.Concat(s.Scope, at).String()]
}
