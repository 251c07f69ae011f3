package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// sums returns the conditions that the sum of two fields, or of the items of a list, is beyond the
// numbers of the text.
func sums(s *Facts, p evidence.Place) []Condition {
	var all []Condition
	add := func(r ref, sum string, fields []evidence.Place, tries []Try) {
		for _, n := range s.TextNumbers(Whole) {
			for _, is := range [][2]string{{">", "<="}, {"<", ">="}, {"!=", "=="}} {
				good := fmt.Sprintf("%s %s %d", sum, is[1], n)
				c := Condition{Expr: r.and(fmt.Sprintf("%s %s %d", sum, is[0], n)), Rule: r.or(good), Weight: 6, About: p, Fields: fields,
					Tries: tries}
				if len(fields) == 1 {
					c.Leaf = leafOf(s, r, good, nil)
				}
				all = append(all, c)
			}
		}
	}
	r := s.RefOf(p)
	switch s.KindOf(p) {
	case List:
		item := s.SchemaAt(p.Below(evidence.AnyItem))
		if KindOf(item) == Whole {
			add(r, r.Access+".sum()", []evidence.Place{p}, summing(s, p, ""))
		}
		if item == nil {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
			if child := item.Properties[name]; KindOf(&child) == Whole {
				sum := r.Access + ".map(x, x." + name + ").sum()"
				if isOptional(item, name) {
					sum = r.Access + ".filter(x, has(x." + name + ")).map(x, x." + name + ").sum()"
				}
				add(r, sum, []evidence.Place{p}, summing(s, p, name))
			}
		}
	case Whole:
		for _, other := range s.Fields {
			if s.KindOf(other) == Whole && other.String() > p.String() && slices.Equal(other.Parent(), p.Parent()) {
				o := s.RefOf(other)
				add(ref{Guards: slices.Concat(r.Guards, o.Guards)}, r.Access+" + "+o.Access, []evidence.Place{p, other},
					summingTwo(s, p, other))
			}
		}
	}
	return all
}

// summing returns lists whose sum is at and beside the numbers of the text.
func summing(s *Facts, p evidence.Place, name string) []Try {
	var all []Try
	for _, number := range s.TextNumbers(Whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			for _, parts := range [][]int64{{n + by}, {(n + by) / 2, n + by - (n+by)/2}} {
				made, ok := Measuring(s, p, Items, float64(len(parts)))
				values, _ := made.([]any)
				if !ok || len(values) != len(parts) {
					continue
				}
				for i, part := range parts {
					if name == "" {
						values[i] = part
					} else {
						values[i] = object.Of(name).Set(values[i], part)
					}
				}
				all = append(all, Try{{Field: p, To: values}})
			}
		}
	}
	return all
}

func summingTwo(s *Facts, p, other evidence.Place) []Try {
	var all []Try
	for _, number := range s.TextNumbers(Whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			all = append(all, Try{{Field: p, To: (n + by) / 2}, {Field: other, To: n + by - (n+by)/2}},
				Try{{Field: p, To: n + by}, {Field: other, To: int64(0)}})
		}
	}
	return all
}
