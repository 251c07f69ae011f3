package celproof

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/apiserver/pkg/cel"
)

// HoldsWithDefault reports whether a rule is provably true after a default sets a missing field.
// The values are those that another schema and other rules accept without the field at a path,
// which leads from self through fields. A rule that does not read the field stays true.
func HoldsWithDefault(rule ast.Expr, by []ast.Expr, of, accepted Schema, path []string, value any) bool {
	field := "self"
	for _, name := range path {
		if escaped, ok := cel.Escape(name); ok {
			name = escaped
		}
		field += "." + name
	}
	if !looksAt(rule, field) {
		return true
	}
	prover := newProver()
	prover.defaults = true
	s := &solver{prover: prover, bound: self(of, accepted), index: map[string]int{}}
	var known []clause
	for _, other := range by {
		known = append(known, clausesOf(other, isTrue)...)
	}
	wanted := clausesOf(rule, isTrue)
	for _, c := range append(known, wanted...) {
		for _, l := range c {
			s.note(l.expr)
		}
	}
	if at, compared := s.index[field]; compared && len(s.variables[at].values) > 0 && plain(value) != nil {
		s.variables[at].values = append(s.variables[at].values, plain(value))
	}
	if !s.finish() {
		return false
	}
	premises := s.links()
	for _, c := range known {
		if rest, useful := s.absent(c, field); useful {
			premises = append(premises, rest)
		}
	}
	for _, c := range wanted {
		rest, holds := s.filled(c, field, plain(value))
		if !holds && !s.follows(premises, rest) {
			return false
		}
	}
	return true
}

// plain returns a number of a schema as rules see it.
func plain(value any) any {
	switch value := value.(type) {
	case int:
		return int64(value)
	case float64, int64, string:
		return value
	}
	return nil
}

// absent returns what a premise means for other fields if a field is missing. It returns false if
// it means nothing.
func (s *solver) absent(c clause, field string) (test, bool) {
	var rest test
	for i, one := range s.test(c) {
		v := s.variables[one.variable]
		switch {
		case !looksAt(v.term, field):
			rest = append(rest, one)
		case is(v.term, operators.Has) && written(v.term.AsCall().Args()[0]) == field:
			if c[i].want == isFalse {
				return nil, false
			}
		case written(v.term) == field && len(v.values) > 0: // an error
		default:
			return nil, false
		}
	}
	return rest, true
}

// filled returns what a clause requires of other fields if a field has a value. It returns true if
// the clause already holds.
func (s *solver) filled(c clause, field string, value any) (test, bool) {
	var rest test
	for i, one := range s.test(c) {
		v := s.variables[one.variable]
		switch {
		case !looksAt(v.term, field):
			rest = append(rest, one)
		case is(v.term, operators.Has) && written(v.term.AsCall().Args()[0]) == field:
			if c[i].want == isTrue {
				return nil, true
			}
		case written(v.term) == field && len(v.values) > 0 && one.points&v.point(value) != 0:
			return nil, true
		}
	}
	return rest, false
}

// point returns the point of a value.
func (v *variable) point(value any) points {
	number, isNumber := asNumber(value)
	for i, one := range v.values {
		if n, is := one.(float64); is && isNumber && n == number || one == value {
			return 1 << i
		}
	}
	return 0
}

// looksAt reports whether the outcome of an expression may depend on a field: it names the field, a
// part of it, or a value that contains it.
func looksAt(e ast.Expr, field string) bool {
	switch e.Kind() {
	case ast.IdentKind, ast.SelectKind:
		if chain := written(e); chain != "" && isChain(e) {
			return chain == field || strings.HasPrefix(chain, field+".") || strings.HasPrefix(field, chain+".")
		}
		return e.Kind() == ast.SelectKind && looksAt(e.AsSelect().Operand(), field)
	case ast.CallKind:
		call := e.AsCall()
		if is(e, operators.Has) && isChain(call.Args()[0]) && strings.HasPrefix(field, written(call.Args()[0])+".") {
			return false // the presence of values around the field does not change
		}
		if call.IsMemberFunction() && looksAt(call.Target(), field) {
			return true
		}
		for _, arg := range call.Args() {
			if looksAt(arg, field) {
				return true
			}
		}
		return false
	case ast.LiteralKind, ast.UnspecifiedExprKind:
		return false
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			if looksAt(element, field) {
				return true
			}
		}
		return false
	}
	return true
}

// isChain reports whether an expression is self or a field of it, at any depth.
func isChain(e ast.Expr) bool {
	for e.Kind() == ast.SelectKind {
		e = e.AsSelect().Operand()
	}
	return e.Kind() == ast.IdentKind && (e.AsIdent() == "self" || e.AsIdent() == "oldSelf")
}
