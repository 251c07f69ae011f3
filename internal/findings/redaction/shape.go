package redaction

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/objecttext"
)

// shapes returns the objects of a case with the same declared fields and no texts: letters become
// "x" or "X" and digits "0", other printable characters of ASCII stay. Numbers keep their sign, and
// their digits become 1. apiVersion and kind remain.
func shapes(r *harness.Result, known vocabulary) (object, old any) {
	if r.Case.Object != nil {
		object = shapeOfObject(objecttext.Document(r.Case.Object), known)
	}
	if r.Case.Operation() == admissionv1.Update {
		old = shapeOfObject(objecttext.Document(r.Case.Old), known)
	}
	return object, old
}

func shapeOfObject(document map[string]any, known vocabulary) map[string]any {
	known = known.ofScale(document)
	shape := shapeOfFields(document, known.names)
	for _, key := range []string{"apiVersion", "kind"} {
		if value := document[key]; known.isKind(key, value) {
			shape[key] = value
		}
	}
	return shape
}

// shapeOfFields keeps declared names. Other names with equal shapes are numbered.
func shapeOfFields(fields map[string]any, names fieldpath.Names) map[string]any {
	shape := make(map[string]any, len(fields))
	keys := slices.Sorted(maps.Keys(fields))
	for _, key := range keys {
		if names.Has(key) {
			shape[key] = shapeOfValue(fields[key], names.Field(key))
		}
	}
	number := map[string]int{} // of the last key of a shape
	for _, key := range keys {
		if names.Has(key) {
			continue
		}
		first := shapeOfText(key)
		shaped := first
		for _, taken := shape[shaped]; taken; _, taken = shape[shaped] {
			number[first] = max(number[first], 1) + 1
			shaped = fmt.Sprintf("%s-%d", first, number[first])
		}
		shape[shaped] = shapeOfValue(fields[key], names.Field(key))
	}
	return shape
}

func shapeOfValue(value any, names fieldpath.Names) any {
	switch value := value.(type) {
	case map[string]any:
		return shapeOfFields(value, names)
	case []any:
		shape := make([]any, len(value))
		for i, item := range value {
			shape[i] = shapeOfValue(item, names.Entry("0"))
		}
		return shape
	case string:
		return shapeOfText(value)
	case int64:
		return shapeOfInteger(value)
	case float64:
		return float64(shapeOfInteger(int64(value))) + 0.5
	case bool:
		return value
	}
	return nil // null, or a type that no document has
}

func shapeOfText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsUpper(r):
			return 'X'
		case unicode.IsDigit(r):
			return '0'
		case unicode.IsLetter(r), r >= utf8.RuneSelf:
			return 'x'
		}
		return r
	}, text)
}

// shapeOfInteger keeps zero, the sign and the number of digits.
func shapeOfInteger(value int64) int64 {
	shape := int64(0)
	for rest := value; rest != 0; rest /= 10 {
		shape = shape*10 + 1
	}
	if value < 0 {
		return -shape
	}
	return shape
}
