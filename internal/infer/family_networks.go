package infer

import (
	"fmt"
	"net/netip"
	"slices"
)

// networks returns the conditions that a network, or some network of a list, is not within another one.
func (s *facts) networks(p, other place) []condition {
	isList := s.kindOf(p) == list && kindOf(s.schemaAt(p.below(anyItem))) == text
	if slices.Equal(p, other) || s.kindOf(other) != text || !isList && s.kindOf(p) != text || !s.haveNetworks(p, isList) || !s.haveNetworks(other, false) {
		return nil
	}
	a, b := s.refOf(p), s.refOf(other)
	both := ref{guards: slices.Compact(slices.Concat(b.guards, a.guards))}
	around := "cidr(" + b.access + ")"
	var tries []try
	for _, outer := range []string{"10.0.0.0/8", "10.0.0.1/8", "2001:db8::/32", "elsewhere"} {
		for _, inner := range []string{"10.0.0.0/8", "10.1.0.0/16", "9.0.0.0/7", "192.0.2.0/24", "2001:db8:1::/48", "elsewhere"} {
			value := any(inner)
			if isList {
				value = []any{inner}
			}
			tries = append(tries, try{{field: p, to: value}, {field: other, to: outer}})
		}
	}
	x := a.access
	if isList {
		x = "x"
	}
	contains := fmt.Sprintf("%s.containsCIDR(cidr(%s))", around, x)
	smaller := fmt.Sprintf("%s.prefixLength() < cidr(%s).prefixLength()", around, x)
	var all []condition
	for weight, good := range []string{contains, contains + " && " + smaller} {
		expr := fmt.Sprintf("isCIDR(%s) && isCIDR(%s) && !(%s)", b.access, x, good)
		rule := fmt.Sprintf("!isCIDR(%s) || !isCIDR(%s) || %s", b.access, x, good)
		if isList {
			expr, rule = a.access+".exists(x, "+expr+")", a.access+".all(x, "+rule+")"
		}
		all = append(all, condition{expr: both.and(expr), rule: both.or(rule), weight: 6 + weight, about: p, fields: []place{p, other}, tries: tries})
	}
	return all
}

// haveNetworks reports whether accepted objects have a network at a place.
func (s *facts) haveNetworks(p place, isList bool) bool {
	if isList {
		p = p.below(anyItem)
	}
	return slices.ContainsFunc(s.acceptedTexts(p), func(text string) bool {
		_, err := netip.ParsePrefix(text)
		return err == nil
	})
}
