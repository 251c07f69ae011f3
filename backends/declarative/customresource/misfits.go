package customresource

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/jsonwords"
)

// FittingMetadata gives what can be read of metadata, nil where that is nothing, and for
// each value of another type than it has in every object an error at its place. The API
// server refuses such an object before it looks at anything else, and tells the first.
func FittingMetadata(metadata any) (kept map[string]any, misfits field.ErrorList) {
	fitted, misfits := fitting(field.NewPath("metadata"), metadata, fits)
	kept, _ = fitted.(map[string]any)
	return kept, misfits
}

// Misfits gives in place of an error that metadata cannot be read, which is in the words
// of Go's decoder and tells the first value that stops it, one for each such value; none
// of other errors.
func Misfits(err *field.Error) field.ErrorList {
	inGo := slices.ContainsFunc([]string{"json: cannot unmarshal ", "parsing time ", "invalid metadata: expected object"}, func(words string) bool {
		return strings.HasPrefix(err.Detail, words)
	})
	of, isMetadata := strings.CutSuffix(err.Field, "metadata")
	if !inGo || !isMetadata || err.Type != field.ErrorTypeInvalid {
		return nil
	}
	_, misfits := FittingMetadata(err.BadValue)
	for _, misfit := range misfits {
		misfit.Field = of + misfit.Field
	}
	return misfits
}

// eachMisfit says what is wrong with metadata value by value.
func eachMisfit(errs field.ErrorList) field.ErrorList {
	var said field.ErrorList
	for _, err := range errs {
		if misfits := Misfits(err); len(misfits) > 0 {
			said = append(said, misfits...)
		} else {
			said = append(said, err)
		}
	}
	return said
}

// fitting gives of a value what can be read, nil where that is nothing, and what
// cannot. fits tries a value in its place.
func fitting(at *field.Path, value any, fits func(any) error) (kept any, misfits field.ErrorList) {
	wrong := fits(value)
	switch value := value.(type) {
	case map[string]any:
		if wrong == nil || fits(map[string]any{}) != nil {
			break
		}
		fields := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			part, inside := fitting(entryOf(at, name), value[name], func(v any) error { return fits(map[string]any{name: v}) })
			if part != nil || len(inside) == 0 {
				fields[name] = part
			}
			misfits = append(misfits, inside...)
		}
		return fields, misfits
	case []any:
		if wrong == nil || fits([]any{}) != nil {
			break
		}
		for i, item := range value {
			_, inside := fitting(at.Index(i), item, func(v any) error { return fits([]any{v}) })
			misfits = append(misfits, inside...)
		}
		return nil, misfits // without an item the others would have other indices
	}
	if wrong == nil {
		return value, nil
	}
	return nil, field.ErrorList{{Type: field.ErrorTypeTypeInvalid, Field: at.String(), BadValue: field.OmitValueType{}, Detail: wrong.Error()}}
}

// entryOf is the path of a field of metadata, or of an entry of its maps.
func entryOf(at *field.Path, name string) *field.Path {
	if of := at.String(); of == "metadata.labels" || of == "metadata.annotations" {
		return at.Key(name)
	}
	return at.Child(name)
}

// fits says whether metadata can be read; the place of what cannot is known from what
// is tried.
func fits(metadata any) error {
	data, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	if _, err = kjson.UnmarshalStrict(data, &metav1.ObjectMeta{}); err == nil {
		return nil
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		wrong.Field = ""
	}
	return jsonwords.Of(err, "")
}
