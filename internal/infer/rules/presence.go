package rules

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// Presence returns the conditions that a field is missing, or set.
func Presence(s *Facts, p evidence.Place) []Condition {
	r := s.RefOf(p)
	if !r.isOptional {
		return nil // it is set wherever the field around it is
	}
	tries := []Try{{{Field: p, To: object.Absence{}}}, {{Field: p, To: s.value(p)}}}
	missing := Condition{Refuses: r.unset(), Rule: r.Has(), Weight: 2, About: p, Fields: []evidence.Place{p}, Tries: tries}
	if len(r.Guards) == 1 {
		missing.Leaf = &leaf{Required: true}
	}
	set := Condition{Refuses: r.Has(), Rule: r.unset(), Weight: 3, About: p, Fields: []evidence.Place{p}, Tries: tries}
	return []Condition{missing, set}
}

// mostValues bounds the values with which a field is compared.
const mostValues = 8

// Equalities returns the conditions that a field has one value, or not.
func Equalities(s *Facts, p evidence.Place) []Condition {
	k := s.KindOf(p)
	if k != Text && k != Boolean && k != Whole {
		return nil
	}
	r := s.RefOf(p)
	values := comparable(s, p)
	var all []Condition
	for i, value := range values {
		suggested := suggested(s, p, value)
		other := values[(i+1)%len(values)]
		tries := []Try{{{Field: p, To: value}}, {{Field: p, To: other}}}
		if len(r.Guards) > 0 {
			tries = append(tries, Try{{Field: p, To: object.Absence{}}})
		}
		weight := 3
		if !suggested {
			weight = 5
		}
		is, not := equals(r.Access, celexpr.Literal(value))
		if k == Boolean {
			is, not = r.Access, celexpr.Not(r.Access)
			if value == false {
				is, not = not, is
			}
		}
		equal := r.condition(weight, is, not, tries).withLeaf(leafOf(s, r, not, nil)).withGuess(!suggested)
		equal.oneText = !suggested && k == Text && value != ""
		all = append(all,
			equal,
			r.condition(weight+1, not, is, tries).withLeaf(leafOf(s, r, is, nil)).withGuess(!suggested))
		if len(r.Guards) > 0 && k != Whole {
			// Another value, or none.
			all = append(all, Condition{
				Refuses: r.or(not),
				Rule:    r.and(is),
				Weight:  weight + 1,
				About:   p,
				Fields:  []evidence.Place{p},
				Tries:   tries,
				Guess:   !suggested,
			})
		}
	}
	return all
}

// suggested reports whether a rule about one value of a field is likely: the error names the value, or
// the field has few values. The empty text is better said by a bound of the length.
func suggested(s *Facts, p evidence.Place, value any) bool {
	text, isText := value.(string)
	if !isText {
		return true
	}
	return text != "" && (slices.Contains(s.Quoted, text) || len(s.SchemaAt(p).Enum) > 0 ||
		slices.Contains(evidence.WordPattern.FindAllString(s.Site.First.Detail, -1), text))
}

// comparable returns the values with which a field may be compared: those of its enum, of the text,
// and of the objects.
func comparable(s *Facts, p evidence.Place) []any {
	schema, k := s.SchemaAt(p), s.KindOf(p)
	var all []any
	add := func(value any) {
		if !slices.Contains(all, value) && len(all) < mostValues {
			all = append(all, value)
		}
	}
	switch k {
	case Boolean:
		return []any{true, false}
	case Text:
		for _, value := range schema.Enum {
			if text, is := value.(string); is {
				add(text)
			}
		}
		for _, value := range s.Quoted {
			add(value)
		}
		if text, is := schema.Default.(string); is {
			add(text)
		}
		for _, value := range s.Seen[p.String()] {
			if text, is := value.(string); is && len(text) < 40 {
				add(text)
			}
		}
	case Whole:
		for _, value := range s.TextNumbers(k) {
			add(value)
		}
		add(int64(0))
	}
	return all
}

// leafOf returns the rule at the field itself; nil if there is none, because the field is in
// metadata of the whole object.
func leafOf(s *Facts, r ref, rule celexpr.Expr, keywords map[string]any) *leaf {
	if len(s.Scope)+len(r.Place) == 0 {
		return nil
	}
	return &leaf{Rule: ofSelf(rule, r.Access), Keywords: keywords}
}

// ofSelf returns a rule about a field as one about self.
func ofSelf(rule, access celexpr.Expr) celexpr.Expr {
	path := celexpr.PathOf(access)
	return celexpr.Replace(rule, func(part celexpr.Expr) celexpr.Expr {
		if slices.Equal(celexpr.PathOf(part), path) {
			return self
		}
		return nil
	})
}

// unions returns conditions on how many of some fields are set: those of an object that are all
// optional, or that the text names.
func unions(s *Facts) []Condition {
	var all []Condition
	for _, group := range groups(s) {
		var flags []celexpr.Expr
		var tries []Try
		for i, p := range group {
			flags = append(flags, s.RefOf(p).Has())
			one, two := Try{}, Try{}
			for j, other := range group {
				to := any(object.Absence{})
				if i == j {
					to = s.value(other)
				}
				one = append(one, Change{Field: other, To: to})
				if to == (object.Absence{}) && j == (i+1)%len(group) {
					to = s.value(other)
				}
				two = append(two, Change{Field: other, To: to})
			}
			tries = append(tries, one, two)
		}
		none, full := Try{}, Try{}
		for _, p := range group {
			none = append(none, Change{Field: p, To: object.Absence{}})
			full = append(full, Change{Field: p, To: s.value(p)})
		}
		tries = append(tries, none, full)
		count := celexpr.Method(celexpr.Method(celexpr.List(flags...), operators.Filter, celexpr.Name("set"), celexpr.Name("set")), "size")
		with := func(weight int, refuses, rule celexpr.Expr) {
			all = append(all, Condition{Refuses: refuses, Rule: rule, Weight: weight + len(group), About: group[0].Parent(), Fields: group,
				Tries: tries})
		}
		isOne, isNotOne := equals(count, celexpr.Literal(1))
		if len(group) == 2 {
			same, differ := equals(flags[0], flags[1])
			with(2, isNotOne, differ)
			with(3, differ, same)
		} else {
			_, isNotFull := equals(count, celexpr.Literal(len(group)))
			_, isNotEmpty := equals(count, celexpr.Literal(0))
			with(2, isNotOne, isOne)
			one := celexpr.Literal(1)
			with(2, celexpr.Call(operators.Greater, count, one), celexpr.Call(operators.LessEquals, count, one))
			with(3, celexpr.And(isNotFull, isNotEmpty),
				celexpr.Call(operators.In, count, celexpr.List(celexpr.Literal(0), celexpr.Literal(len(group)))))
		}
		with(2, celexpr.And(negated(flags)...), celexpr.Or(flags...))
	}
	return all
}

// groups returns the sets of optional fields that may exclude each other: all siblings, those that
// are objects, those of the text, and each pair with one of the text.
func groups(s *Facts) [][]evidence.Place {
	byParent := map[string][]evidence.Place{}
	var parents []string
	for _, p := range s.Fields {
		if r := s.RefOf(p); len(r.Guards) > 0 && len(s.RefOf(p.Parent()).Guards) == 0 {
			name := p.Parent().String()
			if byParent[name] == nil {
				parents = append(parents, name)
			}
			byParent[name] = append(byParent[name], p)
		}
	}
	var all [][]evidence.Place
	add := func(group []evidence.Place) {
		if len(group) < 2 || len(group) > 12 {
			return
		}
		group = slices.Clone(group)
		slices.SortFunc(group, func(a, b evidence.Place) int { return strings.Compare(a.String(), b.String()) })
		if !slices.ContainsFunc(all,
			func(known []evidence.Place) bool { return slices.EqualFunc(known, group, slices.Equal[evidence.Place]) }) {
			all = append(all, group)
		}
	}
	for _, parent := range parents {
		siblings := byParent[parent]
		var named, objects []evidence.Place
		for _, p := range siblings {
			if strings.Contains(s.Site.First.Detail, p[len(p)-1]) {
				named = append(named, p)
			}
			if k := s.KindOf(p); k == Object {
				objects = append(objects, p)
			}
		}
		add(named)
		add(objects)
		add(siblings)
		for i, a := range siblings[:min(len(siblings), 8)] {
			for _, b := range siblings[i+1 : min(len(siblings), 8)] {
				add([]evidence.Place{a, b})
			}
		}
	}
	return all
}
