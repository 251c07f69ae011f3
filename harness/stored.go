package harness

import (
	"context"
	"maps"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/documents"
)

// AddStored adds what would be stored of an accepted object to the answer that a Backend is about to
// give: the document after mutation, defaulting and pruning, in the version of the request. If both
// sides accept an input and give one, the documents are compared (equivalence.Result). It is called
// with the context of Backend.Validate.
func AddStored(ctx context.Context, document map[string]any) {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.stored = document
	}
}

// storedValues compares what would be stored. An empty list, null and an absent field are three
// things there.
var storedValues = documentComparison{
	class:  equivalence.Result,
	absent: isMissing,
	byItem: true,
	side: func(at string, value any) *field.Error {
		if isMissing(value) {
			return equivalence.NewResult(at, nil, false)
		}
		return equivalence.NewResult(at, value, true)
	},
}

// bookkeeping are the fields of metadata that the server sets itself. They say nothing that the other
// fields do not, and a cluster sets other values than a world.
var bookkeeping = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// storedPairs compares two documents that would be stored. A number is what JSON makes of it.
func storedPairs(native, declarative map[string]any) []equivalence.Pair {
	return storedValues.pairs("", asStored(native), asStored(declarative))
}

func asStored(document map[string]any) any {
	document = maps.Clone(documents.AsSent(document))
	if metadata, isObject := document["metadata"].(map[string]any); isObject {
		metadata = maps.Clone(metadata)
		for _, name := range bookkeeping {
			delete(metadata, name)
		}
		document["metadata"] = metadata
	}
	return document
}

// compareResults compares what the two sides would store of an object that both accept. If a side
// made something else of it when it was asked again, what differs is unstable.
func (h *Harness) compareResults(in *Input, native, declarative Outcome) []equivalence.Pair {
	if native.refuses() || declarative.refuses() || native.stored == nil || declarative.stored == nil ||
		h.options.Compare != "" && h.options.Compare != CompareAll {
		return nil
	}
	pairs := storedPairs(native.stored, declarative.stored)
	for _, at := range native.unsteady {
		pairs = append(pairs, equivalence.Pair{Native: at})
	}
	for _, at := range declarative.unsteady {
		pairs = append(pairs, equivalence.Pair{Declarative: at})
	}
	if h.options.Self != "" || len(native.unsteady)+len(declarative.unsteady) > 0 {
		for i := range pairs {
			pairs[i].Class = equivalence.Unstable
		}
	}
	return h.options.Exceptions.Explain(subject(in), pairs)
}

// addUnsteady notes the fields that a side would store with another value when it is asked again.
func (o *Outcome) addUnsteady(again Outcome) {
	if o.stored == nil || again.stored == nil || o.unsteady != nil {
		return
	}
	for _, pair := range storedPairs(o.stored, again.stored) {
		o.unsteady = append(o.unsteady, pair.Native)
	}
}
