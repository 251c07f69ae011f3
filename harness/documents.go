package harness

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Documents is a Scheme that neither defaults nor converts. Objects stay as they are,
// and exist only in the version that they are written in.
type Documents struct{}

// Decode returns a copy of the document, so backends never share it with the case.
func (Documents) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	if err := apiname.CheckVersion(document, version); err != nil {
		return nil, err
	}
	return runtime.DeepCopyJSON(document), nil
}

// valueOfJSON returns an error for a value that JSON lacks, such as a Go int.
func valueOfJSON(value any, at string) error {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if err := valueOfJSON(value[key], strings.TrimPrefix(at+"."+key, ".")); err != nil {
				return err
			}
		}
	case []any:
		for i, item := range value {
			if err := valueOfJSON(item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case nil, string, bool, int64, float64:
	default:
		return fmt.Errorf("%s is a Go %T; a document has map[string]any, []any, string, bool, int64, float64 and nil", at, value)
	}
	return nil
}

// Default changes nothing.
func (Documents) Default(_ context.Context, _ Request, object, old any) (any, any, error) {
	return object, old, nil
}

// Convert returns the object in its own version. A typed object without a version belongs to every
// version.
func (Documents) Convert(object any, version schema.GroupVersionKind) (any, error) {
	apiVersion := version.GroupVersion().String()
	switch object := object.(type) {
	case map[string]any:
		apiVersion = text(object["apiVersion"])
	case runtime.Object:
		if own := object.GetObjectKind().GroupVersionKind(); !own.Empty() {
			apiVersion = own.GroupVersion().String()
		}
	default:
		if reflect.Indirect(reflect.ValueOf(object)).Kind() != reflect.Struct {
			return nil, fmt.Errorf("a %T is neither a document nor a struct", object)
		}
	}
	if apiVersion != version.GroupVersion().String() {
		return nil, &contract.InexpressibleError{
			Version: version,
			Reason:  fmt.Sprintf("it is written in %s, and nothing converts between the versions of this kind", apiVersion),
		}
	}
	return object, nil
}

func text(value any) string {
	s, _ := value.(string)
	return s
}
