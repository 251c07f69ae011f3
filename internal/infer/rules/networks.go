package rules

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// networks returns the conditions that a network, or some network of a list, is not within another one.
func networks(s *Facts, p, other evidence.Place) []Condition {
	isList := s.KindOf(p) == List && KindOf(s.SchemaAt(p.Below(evidence.AnyItem))) == Text
	if slices.Equal(p, other) || s.KindOf(other) != Text || !isList && s.KindOf(p) != Text || !haveNetworks(s, p, isList) ||
		!haveNetworks(s, other, false) {
		return nil
	}
	a, b := s.RefOf(p), s.RefOf(other)
	both := a.with(b)
	both.Guards = slices.Compact(slices.Concat(b.Guards, a.Guards))
	around := "cidr(" + b.Access + ")"
	var tries []Try
	for _, outer := range []string{"10.0.0.0/8", "10.0.0.1/8", "2001:db8::/32", "elsewhere"} {
		for _, inner := range []string{"10.0.0.0/8", "10.1.0.0/16", "9.0.0.0/7", "192.0.2.0/24", "2001:db8:1::/48", "elsewhere"} {
			value := any(inner)
			if isList {
				value = []any{inner}
			}
			tries = append(tries, Try{{Field: p, To: value}, {Field: other, To: outer}})
		}
	}
	x := a.Access
	if isList {
		x = "x"
	}
	contains := fmt.Sprintf("%s.containsCIDR(cidr(%s))", around, x)
	smaller := fmt.Sprintf("%s.prefixLength() < cidr(%s).prefixLength()", around, x)
	var all []Condition
	for weight, good := range []string{contains, contains + " && " + smaller} {
		expr := fmt.Sprintf("isCIDR(%s) && isCIDR(%s) && !(%s)", b.Access, x, good)
		rule := fmt.Sprintf("!isCIDR(%s) || !isCIDR(%s) || %s", b.Access, x, good)
		if isList {
			expr, rule = a.Access+".exists(x, "+expr+")", a.Access+".all(x, "+rule+")"
		}
		all = append(all, both.condition(6+weight, expr, rule, tries))
	}
	return all
}

// haveNetworks reports whether accepted objects have a network at a place.
func haveNetworks(s *Facts, p evidence.Place, isList bool) bool {
	if isList {
		p = p.Below(evidence.AnyItem)
	}
	return slices.ContainsFunc(AcceptedTexts(s, p), func(text string) bool {
		_, err := netip.ParsePrefix(text)
		return err == nil
	})
}
