package redaction

import (
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// vocabulary is what the schema declares about an object.
type vocabulary struct {
	names fieldpath.Names
	// says reports whether a word is in the schema, at any place.
	says func(word string) bool
	// kinds are the possible kinds of the whole object.
	kinds []schema.GroupVersionKind
}

// scaleKind is the kind of objects of the subresource scale.
var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

func vocabularyOf(r *harness.Result) vocabulary {
	known := vocabulary{
		names: fieldpath.NamesOfType(reflect.TypeFor[metav1.PartialObjectMetadata]()), says: func(string) bool { return false },
	}
	if !r.Version.Empty() { // otherwise only the object names its kind
		known.kinds = []schema.GroupVersionKind{r.Version, r.Case.Version}
	}
	if naming, is := r.Declared.(fieldpath.Naming); is {
		known.names, known.says = naming.Names(), naming.HasWord
	}
	return known
}

// ofScale returns the vocabulary of a Scale if the object is one.
func (v vocabulary) ofScale(object map[string]any) vocabulary {
	if object["kind"] == scaleKind.Kind && object["apiVersion"] == scaleKind.GroupVersion().String() {
		v.names, v.kinds = fieldpath.NamesOfType(reflect.TypeFor[autoscalingv1.Scale]()), []schema.GroupVersionKind{scaleKind}
	}
	return v
}

// isKind reports whether a value is the apiVersion or kind of a kind under test.
func (v vocabulary) isKind(key string, value any) bool {
	for _, kind := range v.kinds {
		apiVersion, name := kind.ToAPIVersionAndKind()
		if !kind.Empty() && (key == "apiVersion" && value == apiVersion || key == "kind" && value == name) {
			return true
		}
	}
	return false
}

// plain reports whether a word in lower case is common in messages. Messages keep such words even if an
// object has them: a message with "must" reveals nothing about an object with the text "must".
func plain(word string) bool { return plainWords[word] }

var plainWords = setOf(
	"a", "all", "already", "an", "and", "any", "are", "as", "at", "be", "been", "below", "above", "between", "both", "but", "by",
	"can", "cannot", "contain", "contains", "consist", "could", "did", "do", "does", "each", "either", "empty", "end", "equal", "every", "exactly", "exceed",
	"expected", "field", "fields", "for", "from", "found", "given", "got", "greater", "has", "have", "if", "in", "instead", "into", "invalid", "is", "it", "its",
	"least", "less", "long", "longer", "may", "missing", "more", "most", "must", "neither", "no", "non", "none", "nor", "not", "of", "on", "once", "one", "only", "or", "other", "out",
	"range", "required", "same", "set", "should", "so", "supported", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too",
	"unique", "unknown", "unless", "unset", "unsupported", "up", "valid", "value", "values", "was", "were", "when", "where", "which", "while", "with", "within", "without", "wrong",
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}
