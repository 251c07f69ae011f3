package infer

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// mostRepeatable bounds the values of an enum of which each may be the one that items may repeat.
const mostRepeatable = 12

// repeatable returns the conditions that two items of a list have the same value of an enum, except for one value or only with
// one: a list of filters may have one of each type, and as many extensions as one likes.
func (s *facts) repeatable(p place, item *spec.Schema, tries []try) (all []condition) {
	r := s.refOf(p)
	for _, key := range slices.Sorted(maps.Keys(item.Properties)) {
		values := item.Properties[key].Enum
		if len(values) < 2 || len(values) > mostRepeatable || isOptional(item, key) {
			continue
		}
		for _, value := range values {
			text, isText := value.(string)
			if !isText {
				continue
			}
			for _, operator := range []string{"==", "!="} {
				good := fmt.Sprintf("%[1]s.all(x, x.%[2]s %[3]s %[4]s || %[1]s.exists_one(y, x.%[2]s == y.%[2]s))", r.access, key, operator, quote(text))
				all = append(all, condition{expr: r.and(negated(good)), rule: r.or(good), weight: 5, about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, good, nil)})
			}
		}
	}
	return all
}

// repeated returns lists in which an item of an accepted object is twice, of each kind of them.
func (s *facts) repeated(p place) (all []try) {
	for _, item := range s.itemKinds(p) {
		all = append(all, try{{field: p, to: []any{item, item}}})
	}
	return all
}
