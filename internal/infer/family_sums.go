package infer

import (
	"fmt"
	"maps"
	"slices"
)

// sums returns the conditions that the sum of two fields, or of the items of a list, is beyond the
// numbers of the text.
func (s *facts) sums(p place) []condition {
	var all []condition
	add := func(r ref, sum string, fields []place, tries []try) {
		for _, n := range s.textNumbers(whole) {
			for _, is := range [][2]string{{">", "<="}, {"<", ">="}, {"!=", "=="}} {
				good := fmt.Sprintf("%s %s %d", sum, is[1], n)
				c := condition{expr: r.and(fmt.Sprintf("%s %s %d", sum, is[0], n)), rule: r.or(good), weight: 6, about: p, fields: fields, tries: tries}
				if len(fields) == 1 {
					c.leaf = s.leafOf(r, good, nil)
				}
				all = append(all, c)
			}
		}
	}
	r := s.refOf(p)
	switch s.kindOf(p) {
	case list:
		item := s.schemaAt(p.below(anyItem))
		if kindOf(item) == whole {
			add(r, r.access+".sum()", []place{p}, s.summing(p, ""))
		}
		if item == nil {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
			if child := item.Properties[name]; kindOf(&child) == whole {
				sum := r.access + ".map(x, x." + name + ").sum()"
				if isOptional(item, name) {
					sum = r.access + ".filter(x, has(x." + name + ")).map(x, x." + name + ").sum()"
				}
				add(r, sum, []place{p}, s.summing(p, name))
			}
		}
	case whole:
		for _, other := range s.fields {
			if s.kindOf(other) == whole && other.String() > p.String() && slices.Equal(other.parent(), p.parent()) {
				o := s.refOf(other)
				add(ref{guards: slices.Concat(r.guards, o.guards)}, r.access+" + "+o.access, []place{p, other}, s.summingTwo(p, other))
			}
		}
	}
	return all
}

// summing returns lists whose sum is at and beside the numbers of the text.
func (s *facts) summing(p place, name string) []try {
	var all []try
	for _, number := range s.textNumbers(whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			for _, parts := range [][]int64{{n + by}, {(n + by) / 2, n + by - (n+by)/2}} {
				made, ok := s.measuring(p, items, float64(len(parts)))
				values, _ := made.([]any)
				if !ok || len(values) != len(parts) {
					continue
				}
				for i, part := range parts {
					if name == "" {
						values[i] = part
					} else {
						values[i] = steps{name}.set(values[i], part)
					}
				}
				all = append(all, try{{field: p, to: values}})
			}
		}
	}
	return all
}

func (s *facts) summingTwo(p, other place) []try {
	var all []try
	for _, number := range s.textNumbers(whole) {
		n := number.(int64)
		for _, by := range []int64{-1, 0, 1} {
			all = append(all, try{{field: p, to: (n + by) / 2}, {field: other, to: n + by - (n+by)/2}}, try{{field: p, to: n + by}, {field: other, to: int64(0)}})
		}
	}
	return all
}
