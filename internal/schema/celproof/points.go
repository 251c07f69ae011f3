package celproof

import (
	"reflect"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// points is a set of points of a variable.
type points uint64

// test is a clause: it holds if one of the variables is at one of its points.
type test []struct {
	variable int
	points   points
}

// solver has the variables of some rules. A term that is compared with constants has a point for
// each answer that the comparisons can have. Any other expression has the points true, false and
// error.
type solver struct {
	prover    *prover
	bound     map[string]place
	index     map[string]int // by text
	variables []*variable
}

// variable is a term that is compared with constants, or an expression that is not analyzed.
type variable struct {
	term   celexpr.Expr
	values []any // int64, float64 or string; if empty, the points are true, false and error
	others bool  // a string that no comparison names is a point too
	domain points
}

// mostPoints is the maximum number of points of a variable.
const mostPoints = 60

// textOf returns the same text for terms with the same meaning.
func textOf(e celexpr.Expr) string {
	if of := celexpr.SizeOf(e); of != nil {
		return "size(" + celexpr.String(of) + ")"
	}
	return celexpr.String(e)
}

// note adds the variable of an expression and the constants that it is compared with.
func (s *solver) note(e celexpr.Expr) {
	term, _, constants := comparison(e)
	if term == nil {
		term = e
	}
	text := textOf(term)
	if text == "" {
		return
	}
	at, known := s.index[text]
	if !known {
		at = len(s.variables)
		s.index[text] = at
		s.variables = append(s.variables, &variable{term: term})
	}
	s.variables[at].values = append(s.variables[at].values, constants...)
}

// finish makes the points of all variables. It returns false if a variable has too many, or is
// compared with constants of several types.
func (s *solver) finish() bool {
	for _, v := range s.variables {
		s.bounds(v)
		if !v.spread(s.isWhole(v.term)) {
			return false
		}
		v.domain = v.everything()
		s.narrow(v)
	}
	return true
}

// bounds adds the bounds of the schema to the constants of a term, so that all values of a point
// are on the same side of them.
func (s *solver) bounds(v *variable) {
	if len(v.values) == 0 {
		return
	}
	if in, known := s.within(v); known {
		for _, end := range []float64{in.Low, in.High} {
			if _, isText := v.values[0].(string); !isText && proof.Exact(end) {
				v.values = append(v.values, end)
			}
		}
	}
}

// within returns the range of a term, if its schema has one.
func (s *solver) within(v *variable) (proof.Range, bool) {
	of := v.term
	if inside := celexpr.SizeOf(of); inside != nil {
		of = inside
	}
	at := s.place(of)
	if at == nil || at.of.Nullable || at.other.Nullable {
		return proof.Range{}, false
	}
	in, made := numbers(at.schema())
	if celexpr.SizeOf(v.term) != nil {
		in, made = sizes(at.schema())
	}
	return in, made == isTrue
}

// isWhole reports whether a term is an integer unless it is an error.
func (s *solver) isWhole(term celexpr.Expr) bool {
	if celexpr.SizeOf(term) != nil {
		return true
	}
	at := s.place(term)
	return at != nil && slices.Equal(at.of.Type, []string{"integer"}) && slices.Equal(at.other.Type, []string{"integer"})
}

// place returns the value of a term, assuming that it is set; nil if nothing is known about it.
func (s *solver) place(term celexpr.Expr) *place {
	defer clear(s.prover.present)
	for range mostPresences {
		s.prover.undecided = ""
		at, _ := s.prover.find(term, s.bound)
		missing := s.prover.undecided
		s.prover.undecided = ""
		if at == nil && missing != "" {
			s.prover.present[missing] = true
			continue
		}
		if at != nil && at.path != "self" && !reflect.DeepEqual(at.of.Default, at.other.Default) {
			return nil // the schema may not accept the default
		}
		return at
	}
	return nil
}

// spread makes points of constants: for numbers, one at each constant and one on each side.
func (v *variable) spread(whole bool) bool {
	if len(v.values) == 0 {
		return true
	}
	var numbers []float64
	var texts []string
	for _, value := range v.values {
		if text, isText := value.(string); isText {
			texts = append(texts, text)
			continue
		}
		n, _ := asNumber(value)
		by := 0.5
		if whole { // nothing lies between two consecutive integers
			by = 1
		}
		numbers = append(numbers, n-by, n, n+by)
	}
	if len(numbers) > 0 && len(texts) > 0 {
		return false
	}
	v.values = nil
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		v.values = append(v.values, n)
	}
	if !whole {
		v.values = between(v.values)
	}
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		v.values = append(v.values, text)
	}
	v.others = len(texts) > 0
	return len(v.values)+2 <= mostPoints
}

// between adds a number between each two neighbors.
func between(values []any) []any {
	var all []any
	for i, value := range values {
		if n := value.(float64); i > 0 {
			all = append(all, (values[i-1].(float64)+n)/2)
		}
		all = append(all, value)
	}
	return all
}

// The last points of a variable are an error and, before it, a string that no comparison names.
// They are followed by the points of an expression that is not analyzed.
const (
	pointTrue points = 1 << iota
	pointFalse
	pointError
)

func (v *variable) failing() points {
	if len(v.values) == 0 {
		return pointError
	}
	if v.others {
		return 1 << (len(v.values) + 1)
	}
	return 1 << len(v.values)
}

func (v *variable) everything() points { return v.failing()<<1 - 1 }

// narrow removes the points that the schemas exclude.
func (s *solver) narrow(v *variable) {
	if len(v.values) == 0 {
		made := s.prover.eval(v.term, s.bound)
		s.prover.undecided = ""
		v.domain = points(made) // isTrue, isFalse and isError are the points
		if of := celexpr.HasOf(v.term); of != nil && of.Kind() == ast.SelectKind {
			if _, there := s.prover.find(of.AsSelect().Operand(), s.bound); there == isTrue {
				v.domain &^= pointError
			}
			s.prover.undecided = ""
		}
		return
	}
	for i, value := range v.values {
		if s.excluded(v, value) {
			v.domain &^= 1 << i
		}
	}
	named := func(one any) bool {
		return slices.ContainsFunc(v.values, func(value any) bool { return sameJSON(one, value) })
	}
	if enum := s.enum(v); v.others && len(enum) > 0 && !slices.ContainsFunc(enum, func(one any) bool { return !named(one) }) {
		v.domain &^= v.failing() >> 1
	}
	if at, made := s.prover.find(v.term, s.bound); at != nil && made == isTrue && !at.of.Nullable && !at.other.Nullable {
		v.domain &^= v.failing()
	}
	s.prover.undecided = ""
}

// excluded reports whether the schema of a term excludes a value.
func (s *solver) excluded(v *variable, value any) bool {
	if number, isNumber := value.(float64); isNumber {
		in, known := s.within(v)
		return known && !(proof.Range{Low: number, High: number}).Within(in)
	}
	enum := s.enum(v)
	return len(enum) > 0 && !slices.ContainsFunc(enum, func(one any) bool { return sameJSON(one, value) })
}

// enum returns the values that the schema of a term allows; none if it does not list them.
func (s *solver) enum(v *variable) []any {
	at := s.place(v.term)
	if at == nil || at.of.Nullable || at.other.Nullable {
		return nil
	}
	return at.other.Enum
}

// whole returns the domains of all variables.
func (s *solver) whole() []points {
	var all []points
	for _, v := range s.variables {
		all = append(all, v.domain)
	}
	return all
}

func (s *solver) compile(clauses []clause) []test {
	var all []test
	for _, c := range clauses {
		all = append(all, s.test(c))
	}
	return all
}

// test converts a clause.
func (s *solver) test(c clause) test {
	var made test
	for _, l := range c {
		term, operator, constants := comparison(l.expr)
		if term == nil {
			term = l.expr
		}
		at := s.index[textOf(term)]
		v := s.variables[at]
		one := struct {
			variable int
			points   points
		}{variable: at}
		if len(v.values) == 0 {
			one.points = map[outcomes]points{isTrue: pointTrue, isFalse: pointFalse}[l.want]
		} else {
			one.points = v.answers(operator, constants, l.want == isTrue)
		}
		made = append(made, one)
	}
	return made
}

// answers returns the points at which a comparison has an outcome.
func (v *variable) answers(operator string, constants []any, is bool) points {
	var all points
	for i, value := range v.values {
		if slices.ContainsFunc(constants, func(c any) bool { return holds(operator, value, c) }) == is {
			all |= 1 << i
		}
	}
	if v.others && (operator == operators.NotEquals) == is {
		all |= v.failing() >> 1
	}
	return all
}

// links returns tests that mean that a compared field is set if and only if has() of it is true.
func (s *solver) links() []test {
	var all []test
	for at, v := range s.variables {
		of := celexpr.HasOf(v.term)
		if len(v.values) > 0 || of == nil {
			continue
		}
		place := s.place(of)
		if place == nil || place.of.Nullable || place.other.Nullable {
			continue
		}
		for _, text := range []string{celexpr.String(of), "size(" + celexpr.String(of) + ")"} {
			if to, compared := s.index[text]; compared && len(s.variables[to].values) > 0 {
				other := s.variables[to]
				all = append(all, test{
					{at, pointTrue},
					{to, other.failing()},
				}, test{{at, pointFalse | pointError}, {to, other.everything() &^ other.failing()}})
			}
		}
	}
	return all
}
