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
