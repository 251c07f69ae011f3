package infer

import (
	"fmt"
	"slices"
	"strings"
)

// percentages are the patterns of the text of a number or a percentage.
var percentages = []string{`^[0-9]+%$`, `^(100|[1-9]?[0-9])%$`}

// intOrStrings returns the conditions that a number or a percentage is none, as in maxUnavailable.
func (s *subject) intOrStrings(p place) []condition {
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
