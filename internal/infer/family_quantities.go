package infer

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
)

// quantities returns the conditions that a quantity is beyond another one, as a request and its limit.
func (s *facts) quantities(p, other place) []condition {
	if slices.Equal(p, other) || !s.isQuantity(p) || !s.isQuantity(other) {
		return nil
	}
	a, b := s.refOf(p), s.refOf(other)
	both := ref{guards: slices.Compact(slices.Concat(a.guards, b.guards))}
	var tries []try
	values := []string{"1", "2", "1Gi", "1024Mi", "999Mi", "1000m", "10"}
	for _, x := range values {
		for _, y := range values {
			tries = append(tries, try{{field: p, to: x}, {field: other, to: y}})
		}
	}
	var all []condition
	for _, is := range [][2]string{{">", "<="}, {">=", "<"}, {"<", ">="}, {"<=", ">"}} {
		compare := fmt.Sprintf("quantity(%s).compareTo(quantity(%s))", a.access, b.access)
		all = append(all, condition{
			expr: both.and(fmt.Sprintf("isQuantity(%s) && isQuantity(%s) && %s %s 0", a.access, b.access, compare, is[0])), rule: both.or(fmt.Sprintf("!isQuantity(%s) || !isQuantity(%s) || %s %s 0", a.access, b.access, compare, is[1])),
			weight: 6, about: p, fields: []place{p, other}, tries: tries,
		})
	}
	return all
}

// isQuantity reports whether objects have quantities in a field: a text whose values are some.
func (s *facts) isQuantity(p place) bool {
	if s.kindOf(p) != text {
		return false
	}
	return slices.ContainsFunc(s.seen[p.String()], func(value any) bool {
		written, isText := value.(string)
		_, err := resource.ParseQuantity(written)
		return isText && err == nil
	})
}
