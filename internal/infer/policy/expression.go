package policy

import (
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// ofRequest returns an expression about a request, which is self, as one about the variables of a policy.
func ofRequest(r *evidence.Requests, e celexpr.Expr) celexpr.Expr {
	return celexpr.Replace(e, func(part celexpr.Expr) celexpr.Expr {
		if args := celexpr.ArgsOf(part, operators.LogicalNot); args != nil {
			if object := requestObject(celexpr.HasOf(args[0])); object != nil {
				return celexpr.Call(operators.Equals, object, celexpr.Literal(nil))
			}
		}
		if field := celexpr.HasOf(part); field != nil {
			field = ofRequest(r, field)
			if args := celexpr.ArgsOf(field, operators.Index); args != nil {
				return celexpr.Call(operators.In, args[1], args[0])
			}
			if field.Kind() == ast.IdentKind {
				return celexpr.Call(operators.NotEquals, field, celexpr.Literal(nil))
			}
			return celexpr.Has(field)
		}
		if object := requestObject(part); object != nil || part.Kind() != ast.SelectKind {
			return object
		}
		return fieldOfRequest(r, part)
	})
}

// requestObject returns the variable for a part of a request; nil: the expression is something else.
func requestObject(e celexpr.Expr) celexpr.Expr {
	if path := celexpr.PathOf(e); len(path) == 2 && path[0] == "self" {
		return celexpr.Name(path[1])
	}
	return nil
}

// fieldOfRequest returns a field as a policy reads it: rights are asked for, labels and annotations have keys, and names are
// as they are.
func fieldOfRequest(r *evidence.Requests, e celexpr.Expr) celexpr.Expr {
	path, of, name := celexpr.PathOf(e), e.AsSelect().Operand(), e.AsSelect().FieldName()
	key, isKnown := r.Names[name]
	switch {
	case len(path) == 4 && path[2] == "rights":
		n, _ := strconv.Atoi(strings.TrimPrefix(name, "r"))
		return ofRequest(r, check(r, r.Rights[n]))
	case len(path) == 5 && path[2] == "metadata" && isKnown:
		return celexpr.Call(operators.Index, ofRequest(r, of), celexpr.Literal(key))
	}
	if plain := celexpr.Unescape(name); celexpr.PathOf(celexpr.Parse("self."+plain)) != nil { // CEL reads it after a point
		name = plain
	}
	return celexpr.Select(ofRequest(r, of), name)
}

// check returns the expression that the user has a right. It is about self, as those of conditions.
func check(r *evidence.Requests, of evidence.Right) celexpr.Expr {
	all := celexpr.Name("authorizer")
	for _, part := range []struct {
		call       string
		of         evidence.Template
		isOptional bool
	}{
		{"group", of[evidence.RightGroup], false},
		{"resource", of[evidence.RightResource], false},
		{"subresource", of[evidence.RightSubresource], true},
		{"namespace", of[evidence.RightNamespace], true},
		{"name", of[evidence.RightName], true},
		{"check", of[evidence.RightVerb], false},
	} {
		if !part.isOptional || len(part.of) > 0 {
			all = celexpr.Method(all, part.call, textOf(r, part.of))
		}
	}
	return celexpr.Method(all, "allowed")
}

// textOf returns the expression of a template. Every object has a name and a namespace.
func textOf(r *evidence.Requests, of evidence.Template) (all celexpr.Expr) {
	for _, p := range of {
		part := celexpr.Literal(p.Constant)
		if p.Field != nil {
			ref := (&rules.Facts{Evidence: &evidence.Evidence{}, Schema: r.Root}).RefOf(evidence.Place{r.SubjectField()}.Below(p.Field...))
			if part = ref.Access; len(ref.Guards) > 0 && p.Field[0] != "metadata" {
				part = celexpr.Call(operators.Conditional, ref.Has(), ref.Access, celexpr.Literal(""))
			}
		}
		if all == nil {
			all = part
		} else {
			all = celexpr.Call(operators.Add, all, part)
		}
	}
	if all == nil {
		return celexpr.Literal("")
	}
	return all
}
