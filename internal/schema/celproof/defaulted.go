package celproof

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// HoldsWithDefault reports whether a rule is provably true after a default sets a missing field.
// The values are those that another schema and other rules accept without the field at a path,
// which leads from self through fields. A rule that does not read the field stays true.
func HoldsWithDefault(rule celexpr.Expr, by []celexpr.Expr, of, accepted Schema, path []string, value any) bool {
	field := "self"
	for _, name := range path {
		field += "." + celexpr.Escape(name)
	}
	if !looksAt(rule, field) {
		return true
	}
	s, known, wanted := newSolver(rule, by, of, accepted, true)
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
		case isHas(v.term, field):
			if c[i].want == isFalse {
				return nil, false
			}
		case celexpr.String(v.term) == field && len(v.values) > 0: // an error
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
		case isHas(v.term, field):
			if c[i].want == isTrue {
				return nil, true
			}
		case celexpr.String(v.term) == field && len(v.values) > 0 && one.points&v.point(value) != 0:
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
func looksAt(e celexpr.Expr, field string) bool {
	if of := celexpr.HasOf(e); of != nil {
		if chain := chainOf(of); chain != "" && strings.HasPrefix(field, chain+".") {
			return false // the presence of values around the field does not change
		}
	}
	if chain := chainOf(e); chain != "" {
		return chain == field || strings.HasPrefix(chain, field+".") || strings.HasPrefix(field, chain+".")
	}
	switch e.Kind() {
	case ast.MapKind, ast.StructKind:
		return true
	}
	return slices.ContainsFunc(celexpr.PartsOf(e), func(part celexpr.Expr) bool { return looksAt(part, field) })
}

// chainOf returns the text of self, or of a field of it at any depth; empty: the expression is none.
func chainOf(e celexpr.Expr) string {
	path := celexpr.PathOf(e)
	if path == nil || path[0] != "self" && path[0] != "oldSelf" {
		return ""
	}
	return strings.Join(path, ".")
}

// isHas reports whether an expression asks whether a field is set.
func isHas(e celexpr.Expr, field string) bool {
	of := celexpr.HasOf(e)
	return of != nil && celexpr.String(of) == field
}
