package apiresource

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Converter is customresource.Converter.
type Converter interface {
	Convert(object map[string]any, version string) (map[string]any, error)
}

// convert returns an object in another version, as the API server converts it
// (k8s.io/apiextensions-apiserver/pkg/apiserver/conversion): with the strategy None only apiVersion
// changes. A webhook may change everything except the metadata; of that it may change labels and
// annotations.
func (r Resource) convert(object map[string]any, version string) (map[string]any, error) {
	to := schema.GroupVersion{Group: r.Kind.Group, Version: version}.String()
	switch {
	case object["apiVersion"] == to:
		return object, nil
	case r.Converter != nil:
		return r.ask(object, version, to)
	case r.Conversion == AskWebhook:
		return nil, webhookError{object["apiVersion"], version}
	}
	converted := maps.Clone(object)
	converted["apiVersion"] = to
	return converted, nil
}

// conversionError is a conversion that failed: the API server would refuse the request. A version
// that cannot express an object is not an error of this type.
type conversionError struct{ error }

func conversionErrorf(format string, args ...any) error {
	return conversionError{fmt.Errorf(format, args...)}
}

// webhookError is a conversion that a webhook would do, which is not asked.
type webhookError struct {
	from any
	to   string
}

func (e webhookError) Error() string {
	return fmt.Sprintf("it is written in %v, and a webhook, which is not asked here, converts it to %s", e.from, e.to)
}

func (r Resource) ask(object map[string]any, version, to string) (map[string]any, error) {
	answer, err := r.Converter.Convert(object, version)
	if err != nil {
		return nil, conversionErrorf("converting it from %v to %s failed: %w", object["apiVersion"], version, err)
	}
	if answer["apiVersion"] != to || answer["kind"] != object["kind"] {
		return nil, conversionErrorf("converting it from %v to %s gave a %v of %v", object["apiVersion"], version,
			answer["kind"], answer["apiVersion"])
	}
	converted := maps.Clone(answer)
	if converted["metadata"], err = restoreMetadata(object, answer); err != nil {
		return nil, conversionErrorf("converting it from %v to %s: %w", object["apiVersion"], version, err)
	}
	return converted, nil
}

// restoreMetadata returns the metadata of an object with the labels and annotations of the
// conversion result. The API server refuses a conversion that changes the name, namespace or UID.
func restoreMetadata(object, answer map[string]any) (map[string]any, error) {
	before, _ := object["metadata"].(map[string]any)
	after, ok := answer["metadata"].(map[string]any)
	if !ok {
		return nil, errors.New("the metadata is lost; the API server refuses that")
	}
	for _, name := range []string{"name", "namespace", "uid"} {
		if was, is := before[name], after[name]; was != is && (was != nil || is != "") && (is != nil || was != "") {
			return nil, fmt.Errorf("metadata.%s changes from %v to %v; the API server refuses that", name, was, is)
		}
	}
	restored := maps.Clone(before)
	if restored == nil {
		restored = map[string]any{}
	}
	for _, name := range []string{"labels", "annotations"} {
		delete(restored, name)
		if value, has := after[name]; has {
			restored[name] = value
		}
	}
	return restored, nil
}

// lost returns why a version cannot express a converted object: it changes when it is converted
// back.
func (r Resource) lost(object, converted map[string]any, version string) error {
	if r.Converter == nil {
		return nil
	}
	same, err := r.Converter.Convert(object, version)
	if err != nil {
		return conversionErrorf("reading and writing it in %s failed: %w", version, err)
	}
	back, err := r.Converter.Convert(converted, version)
	if err != nil {
		return conversionErrorf("converting it back to %s failed: %w", version, err)
	}
	if at := firstDifference(same, back, ""); at != "" {
		return fmt.Errorf("the conversion there and back changes %s", at)
	}
	return nil
}

// firstDifference names the first field, in the order of names, in which two objects differ.
func firstDifference(a, b any, at string) string {
	if equality.Semantic.DeepEqual(a, b) {
		return ""
	}
	left, isObject := a.(map[string]any)
	right, isToo := b.(map[string]any)
	if !isObject || !isToo {
		return at
	}
	names := slices.Concat(slices.Collect(maps.Keys(left)), slices.Collect(maps.Keys(right)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		path := name
		if at != "" {
			path = at + "." + name
		}
		if found := firstDifference(left[name], right[name], path); found != "" {
			return found
		}
	}
	return at
}
