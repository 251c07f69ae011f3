package infer

import (
	"fmt"
	"slices"
	"strings"
)

// percentages are the patterns of the text of a number or a percentage.
var percentages = []string{`^[0-9]+%$`, `^(100|[1-9]?[0-9])%$`}

// intOrStrings returns the conditions that a number or a percentage is none, as in maxUnavailable.
func (s *facts) intOrStrings(p place) []condition {
	if s.kindOf(p) != intOrString {
		return nil
	}
	r := s.refOf(p)
	var tries []try
	for _, value := range []any{int64(-1), int64(0), int64(1), int64(100), int64(101), "", "1", "0%", "1%", "01%", "99%", "100%", "101%", "200%", "-1%", "1.5%", "5", "a", "a%", "%", "1%%", " 1%"} {
		tries = append(tries, try{{field: p, to: value}})
	}
	var all []condition
	add := func(weight int, bad, good string) {
		all = append(all, condition{expr: r.and(bad), rule: r.or("(" + good + ")"), weight: weight, about: p, fields: []place{p}, leaf: s.leafOf(r, good, nil)})
	}
	isInt, isText := "type("+r.access+") == int", "type("+r.access+") == string"
	for _, pattern := range percentages {
		matches := r.access + ".matches(" + celPattern(pattern) + ")"
		add(4, isText+" && !"+matches, isInt+" || "+matches)
		for _, least := range []string{"0", "1"} {
			add(5, "("+isInt+" ? "+r.access+" < "+least+" : !"+matches+")", isInt+" ? "+r.access+" >= "+least+" : "+matches)
		}
	}
	for _, n := range append(s.textNumbers(whole), int64(0), int64(1)) {
		written := fmt.Sprint(n)
		add(4, isInt+" && "+r.access+" < "+written, isText+" || "+r.access+" >= "+written)
		add(4, isInt+" && "+r.access+" > "+written, isText+" || "+r.access+" <= "+written)
		add(5, isText+" && "+r.access+".size() > "+written, isInt+" || "+r.access+".size() <= "+written)
		for _, by := range []int64{-1, 0, 1} {
			tries = append(tries, try{{field: p, to: n.(int64) + by}})
			if size := n.(int64) + by; size >= 0 && size <= longest {
				tries = append(tries, try{{field: p, to: strings.Repeat("a", int(size))}})
			}
		}
	}
	for _, form := range textFormats() { // of the text, as of the name of a port
		good := form.of(r.access)
		add(form.weight+1, isText+" && "+negated(good), isInt+" || "+good)
	}
	for i := range all {
		all[i].tries = slices.Concat(tries, s.textTries(p))
	}
	return all
}

// alternatives returns the conditions that a number or text is one of both. They are reasons only together with others.
func (s *facts) alternatives(p place) []condition {
	if s.kindOf(p) != intOrString {
		return nil
	}
	r := s.refOf(p)
	tries := []try{{{field: p, to: int64(1)}}, {{field: p, to: "a"}}, {{field: p, to: "1"}}}
	isInt, isText := "type("+r.access+") == int", "type("+r.access+") == string"
	return []condition{
		{expr: r.and(isInt), rule: r.or(isText), weight: 3, about: p, fields: []place{p}, tries: tries},
		{expr: r.and(isText), rule: r.or(isInt), weight: 3, about: p, fields: []place{p}, tries: tries},
	}
}

// numberOrder returns the conditions on the order of a number and what may be a number, as the ends of a range of ports.
func (s *facts) numberOrder(p, other place) []condition {
	k, of := s.kindOf(p), s.kindOf(other)
	if k != whole && k != intOrString || of != whole && of != intOrString || k == whole && of == whole || slices.Equal(p, other) {
		return nil
	}
	a, b := s.refOf(p), s.refOf(other)
	both := ref{guards: slices.Compact(slices.Concat(a.guards, b.guards))}
	var are, areNot []string
	for _, r := range []ref{a, b} {
		if s.kindOf(r.place) == intOrString {
			are, areNot = append(are, "type("+r.access+") == int"), append(areNot, "type("+r.access+") == string")
		}
	}
	var tries []try
	for _, value := range []int64{1, 80, 1000} {
		for _, by := range []int64{-1, 0, 1} {
			tries = append(tries, try{{field: p, to: value + by}, {field: other, to: value}})
		}
	}
	tries = append(tries, try{{field: p, to: int64(80)}, {field: other, to: "a"}})
	var all []condition
	for _, operator := range [][2]string{{"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}} {
		all = append(all, condition{
			expr:   both.and(strings.Join(append(slices.Clone(are), a.access+" "+operator[0]+" "+b.access), " && ")),
			rule:   both.or(strings.Join(append(slices.Clone(areNot), a.access+" "+operator[1]+" "+b.access), " || ")),
			weight: 5, about: p, fields: []place{p, other}, tries: tries,
		})
	}
	return all
}
