package structural

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// mapType checks x-kubernetes-map-type.
func mapType(f *found, s *spec.Schema, x openapi.Extensions, at *field.Path) {
	if x.MapType == nil {
		return
	}
	wantType(f, s, "object", "x-kubernetes-map-type", at)
	if kinds := []string{"atomic", "granular"}; !slices.Contains(kinds, *x.MapType) {
		f.add(field.NotSupported(at.Child("x-kubernetes-map-type"), *x.MapType, kinds))
	}
}

func wantType(f *found, s *spec.Schema, want, extension string, at *field.Path) {
	detail := "must be " + want + " if " + extension + " is specified"
	switch typ := typeOf(s); typ {
	case want:
	case "":
		f.add(field.Required(at.Child("type"), detail))
	default:
		f.add(field.Invalid(at.Child("type"), typ, detail))
	}
}

// listType checks x-kubernetes-list-type and x-kubernetes-list-map-keys.
func (c *stored) listType(f *found, s *spec.Schema, x openapi.Extensions, at *field.Path) {
	where := at.Child("x-kubernetes-list-type")
	if x.ListType == nil {
		if len(x.ListMapKeys) > 0 {
			f.add(field.Required(where, "must be map if x-kubernetes-list-map-keys is non-empty"))
		}
		return
	}
	wantType(f, s, "array", "x-kubernetes-list-type", at)
	if kinds := []string{"atomic", "set", "map"}; !slices.Contains(kinds, *x.ListType) {
		f.add(field.NotSupported(where, *x.ListType, kinds))
	}
	if len(x.ListMapKeys) > 0 && *x.ListType != "map" {
		f.add(field.Invalid(where, *x.ListType, "must be map if x-kubernetes-list-map-keys is non-empty"))
	}
	switch *x.ListType {
	case "set":
		if !c.tolerated.setItems {
			set(f, s, at)
		}
	case "map":
		mapList(f, s, x, at)
	}
	if !c.tolerated.mapKeys {
		itemsAndKeys(f, s, *x.ListType, x.ListMapKeys, at)
	}
}

// itemsAndKeys checks that a list with keys has a schema of items that declares the keys.
func itemsAndKeys(f *found, s *spec.Schema, listType string, keys []string, at *field.Path) {
	if (listType != "set" && listType != "map") || s.Items == nil || s.Items.Schema == nil {
		return
	}
	items, where := s.Items.Schema, at.Child("items")
	if items.Nullable {
		f.add(field.Forbidden(where.Child("nullable"), "cannot be nullable when x-kubernetes-list-type is "+listType))
	}
	if listType == "set" {
		return
	}
	for _, key := range keys {
		property, declared := items.Properties[key]
		if !declared {
			continue // said where the keys are checked
		}
		if !slices.Contains(items.Required, key) && property.Default == nil {
			f.add(field.Required(where.Child("properties").Key(key).Child("default"), "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"))
		}
		if property.Nullable {
			f.add(field.Forbidden(where.Child("properties").Key(key).Child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"))
		}
	}
}

// set checks that the items of a set are compared as a whole.
func set(f *found, s *spec.Schema, at *field.Path) {
	if typeOf(s) != "array" || s.Items == nil || s.Items.Schema == nil {
		return
	}
	items, errs := openapi.ReadExtensions(s.Items.Schema, at.Child("items"))
	if len(errs) > 0 {
		return // said where the items are checked
	}
	const detail = "must be atomic as item of a list with x-kubernetes-list-type=set"
	switch typeOf(s.Items.Schema) {
	case "array":
		if items.ListType != nil && *items.ListType != "atomic" {
			f.add(field.Invalid(at.Child("items").Child("x-kubernetes-list-type"), *items.ListType, detail))
		}
	case "object":
		if items.MapType == nil || *items.MapType != "atomic" {
			f.add(field.Invalid(at.Child("items").Child("x-kubernetes-map-type"), items.MapType, detail))
		}
	}
}

// mapList checks that the keys of a list of type map are scalars of each item.
func mapList(f *found, s *spec.Schema, x openapi.Extensions, at *field.Path) {
	if len(x.ListMapKeys) == 0 {
		f.add(field.Required(at.Child("x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map"))
	}
	where := at.Child("items")
	switch {
	case s.Items == nil:
		f.add(field.Required(where, "must have a schema if x-kubernetes-list-type is map"))
		return
	case s.Items.Schema == nil:
		f.add(field.Invalid(where, field.OmitValueType{}, "must only have a single schema if x-kubernetes-list-type is map"))
		return
	}
	items := s.Items.Schema
	if typeOf(items) != "object" {
		f.add(field.Invalid(where.Child("type"), typeOf(items), "must be object if parent array's x-kubernetes-list-type is map"))
	}
	seen := map[string]bool{}
	for _, key := range x.ListMapKeys {
		property, declared := items.Properties[key]
		if typeOf(items) == "object" {
			if typ := typeOf(&property); declared && (typ == "array" || typ == "object") {
				f.add(field.Invalid(where.Child("properties").Key(key).Child("type"), typ, "must be a scalar type if parent array's x-kubernetes-list-type is map"))
			}
			if !declared {
				f.add(field.Invalid(at.Child("x-kubernetes-list-map-keys"), x.ListMapKeys, "entries must all be names of item properties"))
			}
			if seen[key] {
				f.add(field.Invalid(at.Child("x-kubernetes-list-map-keys"), x.ListMapKeys, "must not contain duplicate entries"))
			}
			seen[key] = true
		}
	}
}
