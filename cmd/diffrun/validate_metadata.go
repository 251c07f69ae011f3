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

// withoutMisfits leaves out of an object the fields of its metadata that are of another
// type than they have in every object, and says which. The API server refuses them
// before it looks at anything else, and tells the first of them.
func withoutMisfits(object map[string]any) (map[string]any, field.ErrorList) {
	at := field.NewPath("metadata")
	written, isObject := object["metadata"].(map[string]any)
	kept, misfits := keepFitting(written, func(name string) *field.Path { return at.Child(name) }, func(name string, value any) error {
		return fits(map[string]any{name: value})
	})
	for _, name := range []string{"annotations", "labels"} {
		entries, isObject := written[name].(map[string]any)
		if !isObject || kept[name] != nil {
			continue
		}
		misfits = slices.DeleteFunc(misfits, func(err *field.Error) bool { return err.Field == at.Child(name).String() })
		var inside field.ErrorList
		kept[name], inside = keepFitting(entries, at.Child(name).Key, func(key string, value any) error {
			return fits(map[string]any{name: map[string]any{key: value}})
		})
		misfits = append(misfits, inside...)
	}
	if !isObject {
		kept, misfits = map[string]any{}, field.ErrorList{misfit(at, errors.New("must be an object"))}
	}
	object = maps.Clone(object)
	object["metadata"] = kept
	return object, misfits
}

// keepFitting parts the entries of a mapping, in the order of their keys.
func keepFitting(entries map[string]any, at func(string) *field.Path, why func(string, any) error) (map[string]any, field.ErrorList) {
	kept := map[string]any{}
	var misfits field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if err := why(name, entries[name]); err != nil {
			misfits = append(misfits, misfit(at(name), err))
			continue
		}
		kept[name] = entries[name]
	}
	return kept, misfits
}

// misfit gives an error its place, which stands before its text.
func misfit(at *field.Path, err error) *field.Error {
	detail := err.Error()
	if _, wanted, named := strings.Cut(detail, " must be "); named {
		detail = "must be " + wanted
	}
	return &field.Error{Type: field.ErrorTypeTypeInvalid, Field: at.String(), BadValue: field.OmitValueType{}, Detail: detail, Origin: strictOrigin}
}

// fits says whether metadata can be read.
func fits(metadata map[string]any) error {
	data, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	if _, err = kjson.UnmarshalStrict(data, &metav1.ObjectMeta{}); err == nil {
		return nil
	}
	return jsonwords.Of(err, "metadata")
}
