package evidence

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/object"
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

// FindLikelyPlaces looks for the places that the errors of a site without a path are about, and notes the path in each object.
func (e *Evidence) FindLikelyPlaces(of *Site) {
	if len(of.Field.Place) > 0 || e.Requests != nil {
		return
	}
	root, compared, counts := e.Target.Document.Root, 0, map[string]int{}
	alone := slices.ContainsFunc(e.Samples, func(s *Sample) bool { return s.OnlyReports(of.Key) })
	for _, s := range e.Samples {
		for n := range s.Reported {
			r := &s.Reported[n]
			if r.Site != of.Key || s.Masked || s.Accepted || compared == mostLocated || alone && len(s.Reported) > 1 {
				continue // other errors are about other differences
			}
			compared++
			if r.LikelyPath == nil {
				r.LikelyPath = keyed(root, e.Differing(s))
			}
			if len(r.LikelyPath) > 0 {
				counts[r.LikelyPath.General()]++
			}
		}
	}
	of.LikelyPlaces = nil
	most := 0
	for _, count := range counts {
		most = max(most, count)
	}
	for _, name := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	}) {
		if at := PlaceOf(name); known(root, at) == len(at) && len(of.LikelyPlaces) < mostPlaces && counts[name]*leastOfMost >= most {
			of.LikelyPlaces = append(of.LikelyPlaces, at)
		}
	}
	slices.SortStableFunc(of.LikelyPlaces, func(a, b Place) int { return len(b) - len(a) })
}

// Differing returns the path of the one place at which a sample differs from an accepted one, the innermost of them; empty:
// there is none.
func (e *Evidence) Differing(from *Sample) object.Path {
	innermost := object.Path{}
	for _, s := range e.Samples {
		if s.Accepted && !s.Masked && reflect.DeepEqual(s.DecodedOld, from.DecodedOld) {
			if at, is := onlyDifference(from.Decoded, s.Decoded); is && len(at) > len(innermost) {
				innermost = at
			}
		}
	}
	return innermost
}

// onlyDifference returns the path of the one place at which two values differ. It returns false if there are several. The path
// is empty if the values are equal, or have nothing in common.
func onlyDifference(a, b any) (object.Path, bool) {
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

func differenceOfFields(a, b map[string]any) (found object.Path, one bool) {
	for _, names := range []map[string]any{a, b} {
		for name := range names {
			x, hasX := a[name]
			y, hasY := b[name]
			if hasX == hasY && reflect.DeepEqual(x, y) || found != nil && found[0].Name == name {
				continue
			}
			if found != nil {
				return nil, false
			}
			found = object.Of(name)
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

func differenceOfItems(a, b []any) (found object.Path, one bool) {
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
		found = object.Path{}.Item(n).Join(below...)
	}
	return found, true
}

// keyed returns a path with the keys of maps as such, where the schema declares maps.
func keyed(root *spec.Schema, path object.Path) object.Path {
	for i, at := 0, root; i < len(path) && at != nil; i++ {
		if openapi.Property(at, path[i].Name) == nil && openapi.Additional(at) != nil && path[i].Kind == object.Field {
			path[i].Kind = object.Key
		}
		at = SchemaBelow(at, placeIn(path[i : i+1])[0])
	}
	return path
}
