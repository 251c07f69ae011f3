package diff

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/internal/objectmeta"
)

// OnceStored is what B does with the object of an example that it rejects, if A has stored it.
type OnceStored string

const (
	// StaysEditable means that B accepts an update of a label, because of ratcheting.
	StaysEditable OnceStored = "editable"
	// BecomesStuck means that B rejects even an update of a label, as rules about the whole object do,
	// which ratchet only if nothing changes.
	BecomesStuck OnceStored = "stuck"
)

// onceStored asks B for an update of a label of the object of an example of a change. It returns "" if only
// other changes make B reject the update.
func (w *witnesser) onceStored(change Change, e Example) OnceStored {
	if e.Effect != Narrower || w.b.bare || w.b.Update == nil {
		return ""
	}
	stored := e.Object
	if e.Old != nil {
		stored = e.Old
	}
	object := w.a.Stored(stored)
	labelled := objectmeta.Change(object, func(o *unstructured.Unstructured) { o.SetLabels(map[string]string{"changed": "yes"}) })
	rejections := slices.DeleteFunc(w.b.Update(w.ctx, labelled, object), func(r Rejection) bool { return r.Kind == unknownField }) // pruned in updates
	of := trial{w: w, change: change, effect: Narrower}
	switch {
	case slices.ContainsFunc(rejections, of.matches):
		return BecomesStuck
	case len(rejections) == 0 && e.Old == nil:
		return StaysEditable
	}
	return ""
}
