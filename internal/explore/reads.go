package explore

import "github.com/diffrun/diffrun/internal/object"

// reads are the places that rules beside the schema read, such as those of policies. What decides about an
// object looks there, so changes of them come first.
type reads map[string]bool

func readsOf(rules []Rule) reads {
	all := reads{}
	for _, rule := range rules {
		for _, path := range rule.Paths {
			for n := range path {
				all[object.Of(path[:n+1]...).General()] = true
			}
		}
	}
	return all
}

// aim returns the aim of a change at a general place.
func (r reads) aim(place string, of aim) aim {
	if !r[place] {
		return of
	}
	if of == spelling {
		return bound
	}
	return read
}
