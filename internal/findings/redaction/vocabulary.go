package redaction

import (
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// vocabulary is what is known of an object without looking at it.
type vocabulary struct {
	names fieldpath.Names
	// says reports whether a word is one of the schema, at any place.
	says func(word string) bool
	// kinds are those that the whole object may be of.
	kinds []schema.GroupVersionKind
}

// scaleKind is that of the objects of the subresource scale.
var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

func vocabularyOf(r *harness.Result) vocabulary {
	known := vocabulary{
		names: fieldpath.NamesOfType(reflect.TypeFor[metav1.PartialObjectMetadata]()), says: func(string) bool { return false },
	}
	if !r.Version.Empty() { // else only the object says what it is
		known.kinds = []schema.GroupVersionKind{r.Version, r.Case.Version}
	}
	if naming, is := r.Declared.(fieldpath.Naming); is {
		known.names, known.says = naming.Names(), naming.HasWord
	}
	return known
}

// ofScale returns the vocabulary of a Scale, beside that of the kind that is scaled.
func (v vocabulary) ofScale(object map[string]any) vocabulary {
	if object["kind"] == scaleKind.Kind && object["apiVersion"] == scaleKind.GroupVersion().String() {
		v.names, v.kinds = fieldpath.NamesOfType(reflect.TypeFor[autoscalingv1.Scale]()), []schema.GroupVersionKind{scaleKind}
	}
	return v
}

// isKind reports whether a value of apiVersion or kind is that of a kind under test.
func (v vocabulary) isKind(key string, value any) bool {
	for _, kind := range v.kinds {
		apiVersion, name := kind.ToAPIVersionAndKind()
		if !kind.Empty() && (key == "apiVersion" && value == apiVersion || key == "kind" && value == name) {
			return true
		}
	}
	return false
}

// plain reports whether a word in lower case is one that messages are made of, whatever they are
// about. Messages keep it although an object has it, too: of an object that has the text "must"
// nothing is known by a message that says it.
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
