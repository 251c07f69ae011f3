package evidence

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/openapi"
)

// OfDecoder reports whether an error is that of a decoder, which refuses values of a wrong type before the validator sees
// them. An error about a time or a quantity has no path, and the validator may report the same about any text: it counts only if
// a field of such a type has a value that cannot be decoded.
func (e *Evidence) OfDecoder(in explore.Input, err *field.Error) bool {
	if fielderror.IsDecoding(err) || strings.Contains(err.Detail, "json: cannot unmarshal ") {
		return true
	}
	if fieldpath.Canonical(err.Field) != "" {
		return false
	}
	starts := func(text string) bool { return strings.HasPrefix(err.Detail, text) }
	var wrong func(at *spec.Schema, value any) bool
	switch {
	case starts("parsing time "):
		wrong = isWrongTime
	case slices.ContainsFunc([]string{resource.ErrFormatWrong.Error(), resource.ErrNumeric.Error(), resource.ErrSuffix.Error()}, starts):
		wrong = isWrongQuantity
	default:
		return false
	}
	root := e.Target.Document.Root
	return hasValue(root, in.Object, wrong) || in.Old != nil && hasValue(root, in.Old, wrong)
}

// isWrongTime reports whether a value at a schema is a metav1.Time that cannot be decoded.
func isWrongTime(at *spec.Schema, value any) bool {
	text, isText := value.(string)
	if !isText || at.Format != "date-time" {
		return false
	}
	_, err := time.Parse(time.RFC3339, text)
	return err != nil
}

// isWrongQuantity is isWrongTime of a resource.Quantity.
func isWrongQuantity(at *spec.Schema, value any) bool {
	text, isText := value.(string)
	if x, _ := openapi.ReadExtensions(at, nil); !isText || !x.IntOrString || at.Pattern == "" {
		return false
	}
	_, err := resource.ParseQuantity(text)
	return err != nil
}

// hasValue reports whether a function says yes to a value at a schema, or to one in it.
func hasValue(at *spec.Schema, value any, is func(at *spec.Schema, value any) bool) bool {
	if at == nil {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			below := openapi.Property(at, name)
			if below == nil {
				below = openapi.Additional(at)
			}
			if hasValue(below, part, is) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, func(part any) bool { return hasValue(openapi.Items(at), part, is) })
	}
	return is(at, value)
}
