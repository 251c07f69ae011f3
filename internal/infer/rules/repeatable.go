package rules

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// mostRepeatable bounds the values of an enum of which each may be the one that items may repeat.
const mostRepeatable = 12

// repeatable returns the conditions that two items of a list have the same value of an enum, except for one value or only with
// one: a list of filters may have one of each type, and as many extensions as one likes.
func repeatable(s *Facts, p evidence.Place, item *spec.Schema, tries []Try) (all []Condition) {
	r := s.RefOf(p)
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
				good := fmt.Sprintf("%[1]s.all(x, x.%[2]s %[3]s %[4]s || %[1]s.exists_one(y, x.%[2]s == y.%[2]s))", r.Access, key,
					operator, celexpr.Quote(text))
				all = append(all, r.condition(5, Negated(good), good, tries).withLeaf(leafOf(s, r, good, nil)))
			}
		}
	}
	return all
}

// repeated returns lists in which an item of an accepted object is twice, of each kind of them.
func repeated(s *Facts, p evidence.Place) (all []Try) {
	for _, item := range itemKinds(s, p) {
		all = append(all, Try{{Field: p, To: []any{item, item}}})
	}
	return all
}
