package kep4153

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
)

// structureMarkers define how lists, maps and structs are merged. Items of sets and of lists of
// type map must be unique.
func structureMarkers() []definition {
	return []definition{
		{name: "listType", group: "listType", argument: "", on: []target.Kind{target.KindList},
			apply: applyListType},
		{name: "listMapKey", group: "listType", argument: "", on: []target.Kind{target.KindList}, repeats: true, remark: true,
			apply: applyListMapKey},
		{name: "mapType", argument: "", on: []target.Kind{target.KindMap}, remark: true,
			apply: oneOf("mapType", openapi.XMapType, "granular", "atomic")},
		{name: "structType", argument: "", on: []target.Kind{target.KindStruct, target.KindMap}, remark: true,
			apply: oneOf("structType", openapi.XMapType, "granular", "atomic")},
	}
}

// oneOf returns a function that sets an extension to an accepted word. Like a default, the extension
// may be set beside a $ref.
func oneOf(name, extension string, accepted ...string) func(*target.Target, any) error {
	return func(t *target.Target, value any) error {
		word := text(value)
		if !slices.Contains(accepted, word) {
			return fmt.Errorf("+%s=%s: accepted: %s", name, word, strings.Join(accepted, ", "))
		}
		target.SetExtension(t.Node, extension, word)
		return nil
	}
}

// applyListType sets the type of a list. A type that replaces one of controller-tools has keys of its
// own.
func applyListType(t *target.Target, value any) error {
	if t.Overwrites || t.Bundled {
		delete(t.Node.Extensions, openapi.XListMapKeys)
	}
	return oneOf("listType", openapi.XListType, "atomic", "set", "map")(t, value)
}

func applyListMapKey(t *target.Target, value any) error {
	key := text(value)
	item := t.Schemas.Resolve(t.Node.Items.Schema)
	if target.KindOf(item) != target.KindStruct {
		return fmt.Errorf("+listMapKey=%s: the items of the list are %s; list map keys are fields of structs", key,
			target.KindOf(item).Article())
	}
	if _, ok := item.Properties[key]; !ok {
		return fmt.Errorf("+listMapKey=%s: the items have no such field; accepted: %s", key, target.PropertyNames(item))
	}
	keys, _ := t.Node.Extensions[openapi.XListMapKeys].([]any)
	target.SetExtension(t.Node, openapi.XListMapKeys, append(slices.Clip(keys), key))
	return nil
}

// CheckListMap reports a list of type map without keys, and keys without a list of type map. It
// runs after all markers of a target were applied.
func CheckListMap(s *spec.Schema) error {
	keys, hasKeys := s.Extensions[openapi.XListMapKeys].([]any)
	isMap := s.Extensions[openapi.XListType] == "map"
	switch {
	case isMap && !hasKeys:
		return fmt.Errorf("+listType=map needs at least one +listMapKey")
	case hasKeys && !isMap:
		return fmt.Errorf("+listMapKey=%v needs +listType=map", keys[0])
	}
	return nil
}
