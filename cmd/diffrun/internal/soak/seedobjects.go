package soak

import (
	"cmp"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// seedObjects are objects of cases from which objects and updates are generated. Where a kind has many
// rules, hardly any object that is generated from nothing is valid.
type seedObjects struct {
	// objects are by kind, in any version, and by the subresource that a case updates.
	objects map[schema.GroupKind]map[string][]map[string]any
	seen    map[string]bool // the JSON of objects, after their subresource
}

// maxSeedCases is how many cases of a suite are read for their objects: a corpus may have millions.
const maxSeedCases = 10_000

// seedObjectsOf reads the objects of a suite's cases, and warns of those that it cannot read.
func (r *runner) seedObjectsOf(suite *cases.Suite) *seedObjects {
	found := &seedObjects{objects: map[schema.GroupKind]map[string][]map[string]any{}, seen: map[string]bool{}}
	read, unreadable := 0, 0
	for c, err := range suite.Cases() {
		if err != nil {
			r.env.Warn("diffrun: warning: %v\n", err)
			break
		}
		if read++; read > maxSeedCases {
			break
		}
		if c.Fault != nil {
			unreadable++
			continue
		}
		found.add(c)
	}
	if unreadable > 0 {
		r.env.Warn("diffrun: warning: suite %s: no object is generated from %s that cannot be read; diffrun run says why\n", suite.Name, plaintext.Count(unreadable, "case"))
	}
	return found
}

// add adds the documents of a case. An object that creates a subresource is not an object of the kind.
func (s *seedObjects) add(c harness.Case) {
	if c.Subresource != "" && c.Old == nil {
		return
	}
	for _, each := range []any{c.Old, c.Object} {
		object, isDocument := each.(map[string]any)
		text, err := json.Marshal(object)
		key := c.Subresource + string(text)
		if !isDocument || err != nil || s.seen[key] {
			continue
		}
		s.seen[key] = true
		kind := cmp.Or(c.Version, (&unstructured.Unstructured{Object: object}).GroupVersionKind()).GroupKind()
		if s.objects[kind] == nil {
			s.objects[kind] = map[string][]map[string]any{}
		}
		s.objects[kind][c.Subresource] = append(s.objects[kind][c.Subresource], object)
	}
}
