package diff

import (
	"reflect"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// ofA and ofB return a part of a schema with the targets of its references.
func (w *walker) ofA(s *spec.Schema) proof.Schema {
	return proof.Schema{Schema: s, Definitions: w.a}
}

func (w *walker) ofB(s *spec.Schema) proof.Schema {
	return proof.Schema{Schema: s, Definitions: w.b}
}

// narrows and widens report whether a part of a schema may refuse a value that the other side
// accepts. Only false is proved.
func (w *walker) narrows(part, b *spec.Schema) bool {
	return !proof.Accepts(w.inA, w.ofB(part), b, w.semantics)
}

func (w *walker) widens(part, a *spec.Schema) bool {
	return !proof.Accepts(w.inB, w.ofA(part), a, w.semantics)
}

// proving keeps only those of the changes added by compare that may change a verdict, with the
// remaining direction.
func (w *walker) proving(keyword string, a, b *spec.Schema, path string, compare func()) {
	before := len(w.changes)
	compare()
	added := slices.Clone(w.changes[before:])
	w.changes = w.changes[:before]
	partA, partB := proof.Part(a, keyword), proof.Part(b, keyword)
	if len(added) == 0 || partA == nil || partB == nil || looksBelow(keyword) && !stable(a, b, w.a, w.b, nil) {
		w.changes = append(w.changes, added...)
		return
	}
	narrows := w.narrows(partB, b) && !w.ruledOut(keyword, partB, a, true, path)
	widens := w.widens(partA, a) && !w.ruledOut(keyword, partA, b, false, path)
	for _, change := range added {
		if change.Effect = directed(change.Effect, narrows, widens); change.Effect != "" {
			w.changes = append(w.changes, change)
		}
	}
}

// directed returns the effect of a change that may only narrow, only widen, or do both; "" if it
// does neither.
func directed(effect Effect, narrows, widens bool) Effect {
	switch {
	case effect == Narrower && !narrows, effect == Wider && !widens, !narrows && !widens:
		return ""
	case effect == Narrower, effect == Wider, narrows && widens:
		return effect
	case narrows:
		return Narrower
	}
	return Wider
}

// looksBelow reports whether a keyword looks inside its value, which defaults may change.
func looksBelow(keyword string) bool {
	return slices.Contains([]string{"maxProperties", "minProperties", "uniqueItems", "allOf", "anyOf", "oneOf", "not"}, keyword)
}

// stable reports whether both sides default the same values in the same way, and drop the same
// nulls.
func stable(a, b *spec.Schema, inA, inB map[string]*spec.Schema, within [][2]*spec.Schema) bool {
	a, b = proof.Resolve(a, inA), proof.Resolve(b, inB)
	pair := [2]*spec.Schema{a, b}
	if slices.Contains(within, pair) {
		return true
	}
	within = append(slices.Clip(within), pair)
	part := func(a, b *spec.Schema) bool {
		return reflect.DeepEqual(a.Default, b.Default) && a.Nullable == b.Nullable && stable(a, b, inA, inB, within)
	}
	for name, inB := range b.Properties {
		if inA, both := a.Properties[name]; both && !part(&inA, &inB) || !both && (open(a) || inB.Default != nil) {
			return false
		}
	}
	for name, inA := range a.Properties {
		if _, both := b.Properties[name]; !both && (open(b) || inA.Default != nil) {
			return false
		}
	}
	if a, b := openapi.Items(a), openapi.Items(b); a != nil && b != nil && !part(a, b) {
		return false
	}
	otherA, otherB := openapi.Additional(a), openapi.Additional(b)
	return otherA == nil || otherB == nil || part(otherA, otherB)
}
