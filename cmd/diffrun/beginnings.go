package main

import (
	"cmp"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// beginnings are the objects of cases, which made objects and updates begin with. Next to none of the
// objects that are made from nothing are valid where many rules are.
type beginnings struct {
	// objects has them by their kind, in any version, and by the subresource that a case updates.
	objects map[schema.GroupKind]map[string][]map[string]any
	seen    map[string]bool // their JSON, behind the subresource
}

// casesRead is how many cases of a suite are read for their objects: a corpus may have millions.
const casesRead = 10_000

// beginningsOf reads the objects of a suite's cases, and warns of what it cannot read.
func (k *soaking) beginningsOf(suite *cases.Suite) *beginnings {
	found := &beginnings{objects: map[schema.GroupKind]map[string][]map[string]any{}, seen: map[string]bool{}}
	read, unreadable := 0, 0
	for c, err := range suite.Cases() {
		if err != nil {
			k.program.warn("diffrun: warning: %v\n", err)
			break
		}
		if read++; read > casesRead {
			break
		}
		if c.Fault != nil {
			unreadable++
			continue
		}
		found.add(c)
	}
	if unreadable > 0 {
		k.program.warn("diffrun: warning: suite %s: no object begins with %s that cannot be read; diffrun run says why\n", suite.Name, counted(unreadable, "case"))
	}
	return found
}

// add adds the documents of a case. What creates a subresource is no object of the kind.
func (b *beginnings) add(c harness.Case) {
	if c.Subresource != "" && c.Old == nil {
		return
	}
	for _, each := range []any{c.Old, c.Object} {
		object, isDocument := each.(map[string]any)
		text, err := json.Marshal(object)
		key := c.Subresource + string(text)
		if !isDocument || err != nil || b.seen[key] {
			continue
		}
		b.seen[key] = true
		of := cmp.Or(c.Version, (&unstructured.Unstructured{Object: object}).GroupVersionKind()).GroupKind()
		if b.objects[of] == nil {
			b.objects[of] = map[string][]map[string]any{}
		}
		b.objects[of][c.Subresource] = append(b.objects[of][c.Subresource], object)
	}
}
