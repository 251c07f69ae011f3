package rules

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// quantities returns the conditions that a quantity is beyond another one, as a request and its limit.
func quantities(s *Facts, p, other evidence.Place) []Condition {
	if slices.Equal(p, other) || !isQuantity(s, p) || !isQuantity(s, other) {
		return nil
	}
	a, b := s.RefOf(p), s.RefOf(other)
	both := a.with(b)
	var tries []Try
	values := []string{"1", "2", "1Gi", "1024Mi", "999Mi", "1000m", "10"}
	for _, x := range values {
		for _, y := range values {
			tries = append(tries, Try{{Field: p, To: x}, {Field: other, To: y}})
		}
	}
	var all []Condition
	for _, is := range [][2]string{{">", "<="}, {">=", "<"}, {"<", ">="}, {"<=", ">"}} {
		compare := fmt.Sprintf("quantity(%s).compareTo(quantity(%s))", a.Access, b.Access)
		all = append(all, both.condition(6, fmt.Sprintf("isQuantity(%s) && isQuantity(%s) && %s %s 0", a.Access, b.Access,
			compare, is[0]), fmt.Sprintf("!isQuantity(%s) || !isQuantity(%s) || %s %s 0", a.Access, b.Access, compare, is[1]), tries))
	}
	return all
}

// isQuantity reports whether objects have quantities in a field: a text whose values are some.
func isQuantity(s *Facts, p evidence.Place) bool {
	if s.KindOf(p) != Text {
		return false
	}
	return slices.ContainsFunc(s.Seen[p.String()], func(value any) bool {
		written, isText := value.(string)
		_, err := resource.ParseQuantity(written)
		return isText && err == nil
	})
}
