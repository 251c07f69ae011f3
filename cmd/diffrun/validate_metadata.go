package main

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

// withoutMisfits leaves out of an object what of its metadata is of another type than it
// has in every object, and says where that is. The API server refuses such an object
// before it looks at anything else, and tells the first misfit.
func withoutMisfits(object map[string]any) (map[string]any, field.ErrorList) {
	kept, misfits := fitting(field.NewPath("metadata"), object["metadata"], fits)
	if kept == nil {
		kept = map[string]any{}
	}
	object = maps.Clone(object)
	object["metadata"] = kept
	return object, misfits
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
	return nil, field.ErrorList{{Type: field.ErrorTypeTypeInvalid, Field: at.String(), BadValue: field.OmitValueType{}, Detail: wrong.Error(), Origin: strictOrigin}}
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

// misfitsOf gives in place of an error that metadata cannot be read, which is in the
// words of Go's decoder and tells the first value that stops it, one for each misfit;
// none of other errors.
func misfitsOf(err *field.Error) field.ErrorList {
	inGo := strings.HasPrefix(err.Detail, "json: cannot unmarshal ") || strings.HasPrefix(err.Detail, "parsing time ")
	of, isMetadata := strings.CutSuffix(err.Field, "metadata")
	if !inGo || !isMetadata || err.Type != field.ErrorTypeInvalid {
		return nil
	}
	_, misfits := fitting(field.NewPath("metadata"), err.BadValue, fits)
	for _, misfit := range misfits {
		misfit.Field = of + misfit.Field
	}
	return misfits
}

// withoutGo says each misfit on a line of its own.
func withoutGo(errs field.ErrorList) field.ErrorList {
	var said field.ErrorList
	for _, err := range errs {
		if misfits := misfitsOf(err); len(misfits) > 0 {
			said = append(said, misfits...)
		} else {
			said = append(said, err)
		}
	}
	return said
}

// detailWithoutGo is what is wrong at the field of an error, where that must stay.
func detailWithoutGo(err *field.Error) string {
	var texts []string
	for _, misfit := range misfitsOf(err) {
		text := misfit.Detail
		if inside := strings.TrimPrefix(strings.TrimPrefix(misfit.Field, err.Field), "."); inside != "" {
			text = inside + ": " + text
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return err.Detail
	}
	return strings.Join(texts, "; ")
}
