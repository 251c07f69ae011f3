package infer

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Many validators return plain errors, which have no path. Such an error is about what differs between an object with it and
// an accepted one, if that is one place.

// mostBlamed bounds the objects of a site that are compared with accepted ones, and mostPlaces the places that they lead to.
// A place counts if one in leastOfMost leads there, compared with the place that most lead to. Inner places come first: a
// changed field is also a change of what is around it.
const (
	mostLocated = 80
	mostPlaces  = 3
	leastOfMost = 4
)

// findLikelyPlaces looks for the places that the errors of a site without a path are about, and notes the path in each object.
func (e *evidence) findLikelyPlaces(of *site) {
	if len(of.field.place) > 0 || e.requests != nil {
		return
	}
	root, compared, counts := e.target.Document.Root, 0, map[string]int{}
	alone := slices.ContainsFunc(e.samples, func(s *sample) bool { return s.onlyReports(of.key) })
	for _, s := range e.samples {
		for n := range s.reported {
			r := &s.reported[n]
			if r.site != of.key || s.masked || s.accepted || compared == mostLocated || alone && len(s.reported) > 1 {
				continue // other errors are about other differences
			}
			compared++
			if r.likelyPath == nil {
				r.likelyPath = e.differing(s)
			}
			if len(r.likelyPath) > 0 {
				counts[generalOf(root, r.likelyPath).String()]++
			}
		}
	}
	of.likelyPlaces = nil
	most := 0
	for _, count := range counts {
		most = max(most, count)
	}
	for _, name := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) }) {
		if at := placeOf(name); known(root, at) == len(at) && len(of.likelyPlaces) < mostPlaces && counts[name]*leastOfMost >= most {
			of.likelyPlaces = append(of.likelyPlaces, at)
		}
	}
	slices.SortStableFunc(of.likelyPlaces, func(a, b place) int { return len(b) - len(a) })
}

// differing returns the path of the one place at which a sample differs from an accepted one, the innermost of them; empty:
// there is none.
func (e *evidence) differing(from *sample) steps {
	innermost := steps{}
	for _, s := range e.samples {
		if s.accepted && !s.masked && reflect.DeepEqual(s.decodedOld, from.decodedOld) {
			if at, is := onlyDifference(from.decoded, s.decoded); is && len(at) > len(innermost) {
				innermost = at
			}
		}
	}
	return innermost
}

// onlyDifference returns the path of the one place at which two values differ. It returns false if there are several. The path
// is empty if the values are equal, or have nothing in common.
func onlyDifference(a, b any) (steps, bool) {
	switch a := a.(type) {
	case map[string]any:
		if b, is := b.(map[string]any); is {
			return differenceOfFields(a, b)
		}
	case []any:
		if b, is := b.([]any); is && len(a) == len(b) {
			return differenceOfItems(a, b)
		}
	}
	return nil, true
}

func differenceOfFields(a, b map[string]any) (found steps, one bool) {
	for _, names := range []map[string]any{a, b} {
		for name := range names {
			x, hasX := a[name]
			y, hasY := b[name]
			if hasX == hasY && reflect.DeepEqual(x, y) || found != nil && found[0] == name {
				continue
			}
			if found != nil {
				return nil, false
			}
			found = steps{name}
			if hasX && hasY {
				below, one := onlyDifference(x, y)
				if !one {
					return nil, false
				}
				found = append(found, below...)
			}
		}
	}
	return found, true
}

func differenceOfItems(a, b []any) (found steps, one bool) {
	for n := range a {
		if reflect.DeepEqual(a[n], b[n]) {
			continue
		}
		if found != nil {
			return nil, false
		}
		below, one := onlyDifference(a[n], b[n])
		if !one {
			return nil, false
		}
		found = append(steps{n}, below...)
	}
	return found, true
}

// generalOf returns the place of a path.
func generalOf(root *spec.Schema, path steps) place {
	var out place
	at := root
	for _, step := range path {
		name, isName := step.(string)
		if !isName || at != nil && openapi.Property(at, name) == nil && openapi.Additional(at) != nil {
			name = anyItem
		}
		out = append(out, name)
		if at != nil {
			at = schemaBelow(at, name)
		}
	}
	return out
}
