package harness

import (
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
)

// storedValues compares stored documents. In them, an empty list, null and an absent field differ.
var storedValues = documentComparison{
	class:  difference.Result,
	absent: isMissing,
	byItem: true,
	side: func(at string, value any) *field.Error {
		if isMissing(value) {
			return fieldvalue.Result(at, nil, false)
		}
		return fieldvalue.Result(at, value, true)
	},
}

// bookkeeping lists the fields of metadata that the server sets itself. They add nothing to the
// other fields, and their values differ between a cluster and a world.
var bookkeeping = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// storedPairs compares two documents that would be stored, with numbers as in JSON.
func storedPairs(native, declarative map[string]any) []equivalence.Pair {
	if reflect.DeepEqual(native, declarative) {
		return nil // without making copies
	}
	return storedValues.pairs("", asStored(native), asStored(declarative))
}

// resultPairs compares the documents that two outcomes would store, and then what other versions return for them. A
// field that differs in the stored documents is not repeated for a version in which it is the same.
func resultPairs(native, declarative Outcome) []equivalence.Pair {
	stored := storedPairs(native.stored, declarative.stored)
	pairs := saidLost(stored, native, declarative)
	for _, ours := range native.converted {
		at := slices.IndexFunc(declarative.converted, func(c contract.Converted) bool { return c.Version == ours.Version })
		if at < 0 {
			continue // one side does not have the version
		}
		for _, pair := range convertedPairs(ours, declarative.converted[at]) {
			if !slices.ContainsFunc(stored, func(other equivalence.Pair) bool { return reflect.DeepEqual(pair, other) }) {
				pair.Native, pair.Declarative = fieldvalue.Converted(pair.Native, ours.Version),
					fieldvalue.Converted(pair.Declarative, ours.Version)
				pairs = append(slices.Clip(pairs), pair)
			}
		}
	}
	return pairs
}

// saidLost returns the pairs with the fields that one side lost at the write, because the version that it stores
// does not have them.
func saidLost(pairs []equivalence.Pair, native, declarative Outcome) []equivalence.Pair {
	if len(pairs) == 0 {
		return nil
	}
	ours, theirs := native.lost(), declarative.lost()
	said := slices.Clone(pairs)
	for i, pair := range said {
		if slices.ContainsFunc(ours, within(pair.Native.Field)) {
			said[i].Native = fieldvalue.Lost(pair.Native, native.storedAs)
		}
		if slices.ContainsFunc(theirs, within(pair.Declarative.Field)) {
			said[i].Declarative = fieldvalue.Lost(pair.Declarative, declarative.storedAs)
		}
	}
	return said
}

// lost lists the fields that were lost when the object was stored in another version than that of the request.
func (o Outcome) lost() (fields []string) {
	if o.admitted == nil {
		return nil
	}
	for _, pair := range storedPairs(o.admitted, o.stored) {
		if pair.Declarative.BadValue == nil {
			fields = append(fields, pair.Native.Field)
		}
	}
	return fields
}

// within returns a function that reports whether a field is that of a path, or contains it.
func within(path string) func(field string) bool {
	return func(field string) bool { return fieldpath.AtOrBelow(path, field) }
}

// convertedPairs compares documents in another version. A document that one side cannot convert differs as a whole.
func convertedPairs(native, declarative contract.Converted) []equivalence.Pair {
	if native.Why == "" && declarative.Why == "" {
		return storedPairs(native.Object, declarative.Object)
	}
	return storedValues.pairs("apiVersion", conversion(native), conversion(declarative))
}

// conversion returns the version that a document was converted to, or why it was not.
func conversion(c contract.Converted) any {
	if c.Why != "" {
		return "cannot be converted: " + c.Why
	}
	return c.Version
}

func asStored(document map[string]any) any {
	timed, _ := documents.Replaced(documents.AsSent(document), withoutNullTime)
	document, _ = timed.(map[string]any)
	document = maps.Clone(document)
	if metadata, isObject := document["metadata"].(map[string]any); isObject {
		metadata = maps.Clone(metadata)
		for _, name := range bookkeeping {
			delete(metadata, name)
		}
		document["metadata"] = metadata
	}
	return document
}

// withoutNullTime returns an object without the null creationTimestamp of its metadata, such as that of a Pod template.
// API servers up to 1.33 write it because Go encoded an unset time as null. Newer ones write nothing.
func withoutNullTime(value any) (any, bool) {
	object, _ := value.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	if at, has := metadata["creationTimestamp"]; !has || at != nil {
		return value, false
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	delete(metadata, "creationTimestamp")
	object["metadata"] = metadata
	return object, true
}

// comparesResults reports whether documents that would be stored are compared. If only verdicts are,
// they still are where a guard is there to change objects: the document is its verdict.
func (h *Harness) comparesResults(native, declarative capableBackend) bool {
	changes := func(guard contract.Guard) bool { return guard.Purpose == words.ToChange }
	switch h.options.Compare {
	case "", words.CompareAll:
		return true
	case words.CompareVerdict:
		return slices.ContainsFunc(native.can.Guards, changes) || slices.ContainsFunc(declarative.can.Guards, changes)
	}
	return false
}

// compareResults compares the documents that both sides would store for an object. If a repeat
// would store something else, the differences are unstable.
func (h *Harness) compareResults(in *Input, native, declarative Outcome) []equivalence.Pair {
	if native.refuses() || declarative.refuses() || native.stored == nil || declarative.stored == nil {
		return nil
	}
	pairs := resultPairs(native, declarative)
	for _, at := range native.unstableFields {
		pairs = append(pairs, equivalence.Pair{Native: at})
	}
	for _, at := range declarative.unstableFields {
		pairs = append(pairs, equivalence.Pair{Declarative: at})
	}
	if h.options.Self != "" || len(native.unstableFields)+len(declarative.unstableFields) > 0 {
		for i := range pairs {
			pairs[i].Class = difference.Unstable
		}
	}
	return h.options.Exceptions.Explain(subject(in), pairs)
}

// addUnstableFields adds the fields whose stored value differs in a repeat.
func (o *Outcome) addUnstableFields(again Outcome) {
	if o.stored == nil || again.stored == nil || o.unstableFields != nil {
		return
	}
	for _, pair := range resultPairs(*o, again) {
		o.unstableFields = append(o.unstableFields, pair.Native)
	}
}
