package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// percentages are the patterns of the text of a number or a percentage.
var percentages = []string{`^[0-9]+%$`, `^(100|[1-9]?[0-9])%$`}

// intOrStrings returns the conditions that a number or a percentage is none, as in maxUnavailable.
func intOrStrings(s *Facts, p evidence.Place) []Condition {
	if s.KindOf(p) != IntOrString {
		return nil
	}
	r := s.RefOf(p)
	var tries []Try
	for _, value := range []any{
		int64(-1),
		int64(0),
		int64(1),
		int64(100),
		int64(101),
		"",
		"1",
		"0%",
		"1%",
		"01%",
		"99%",
		"100%",
		"101%",
		"200%",
		"-1%",
		"1.5%",
		"5",
		"a",
		"a%",
		"%",
		"1%%",
		" 1%",
	} {
		tries = append(tries, Try{{Field: p, To: value}})
	}
	var all []Condition
	add := func(weight int, bad, good string) {
		all = append(all, r.condition(weight, bad, "("+good+")", nil).withLeaf(leafOf(s, r, good, nil)))
	}
	isInt, isText := "type("+r.Access+") == int", "type("+r.Access+") == string"
	for _, pattern := range percentages {
		matches := r.Access + ".matches(" + celPattern(pattern) + ")"
		add(4, isText+" && !"+matches, isInt+" || "+matches)
		for _, least := range []string{"0", "1"} {
			add(5, "("+isInt+" ? "+r.Access+" < "+least+" : !"+matches+")", isInt+" ? "+r.Access+" >= "+least+" : "+matches)
		}
	}
	for _, n := range append(s.TextNumbers(Whole), int64(0), int64(1)) {
		written := fmt.Sprint(n)
		add(4, isInt+" && "+r.Access+" < "+written, isText+" || "+r.Access+" >= "+written)
		add(4, isInt+" && "+r.Access+" > "+written, isText+" || "+r.Access+" <= "+written)
		add(5, isText+" && "+r.Access+".size() > "+written, isInt+" || "+r.Access+".size() <= "+written)
		for _, by := range []int64{-1, 0, 1} {
			tries = append(tries, Try{{Field: p, To: n.(int64) + by}})
			if size := n.(int64) + by; size >= 0 && size <= longest {
				tries = append(tries, Try{{Field: p, To: strings.Repeat("a", int(size))}})
			}
		}
	}
	for _, form := range TextFormats() { // of the text, as of the name of a port
		good := form.Of(r.Access)
		add(form.weight+1, isText+" && "+Negated(good), isInt+" || "+good)
	}
	for i := range all {
		all[i].Tries = slices.Concat(tries, textTries(s, p))
	}
	return all
}

// alternatives returns the conditions that a number or text is one of both. They are reasons only together with others.
func alternatives(s *Facts, p evidence.Place) []Condition {
	if s.KindOf(p) != IntOrString {
		return nil
	}
	r := s.RefOf(p)
	tries := []Try{{{Field: p, To: int64(1)}}, {{Field: p, To: "a"}}, {{Field: p, To: "1"}}}
	isInt, isText := "type("+r.Access+") == int", "type("+r.Access+") == string"
	return []Condition{
		r.condition(3, isInt, isText, tries),
		r.condition(3, isText, isInt, tries),
	}
}

// numberOrder returns the conditions on the order of a number and what may be a number, as the ends of a range of ports.
func numberOrder(s *Facts, p, other evidence.Place) []Condition {
	k, of := s.KindOf(p), s.KindOf(other)
	if k != Whole && k != IntOrString || of != Whole && of != IntOrString || k == Whole && of == Whole || slices.Equal(p, other) {
		return nil
	}
	a, b := s.RefOf(p), s.RefOf(other)
	both := a.with(b)
	var are, areNot []string
	for _, r := range []ref{a, b} {
		if s.KindOf(r.Place) == IntOrString {
			are, areNot = append(are, "type("+r.Access+") == int"), append(areNot, "type("+r.Access+") == string")
		}
	}
	var tries []Try
	for _, value := range []int64{1, 80, 1000} {
		for _, by := range []int64{-1, 0, 1} {
			tries = append(tries, Try{{Field: p, To: value + by}, {Field: other, To: value}})
		}
	}
	tries = append(tries, Try{{Field: p, To: int64(80)}, {Field: other, To: "a"}})
	var all []Condition
	for _, operator := range [][2]string{{"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}} {
		all = append(all, both.condition(5, strings.Join(append(slices.Clone(are), a.Access+" "+operator[0]+" "+b.Access), " && "),
			strings.Join(append(slices.Clone(areNot), a.Access+" "+operator[1]+" "+b.Access), " || "), tries))
	}
	return all
}
