package idl

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// structureMarkers define how lists, maps and structs are merged. Items of sets and of lists of
// type map must be unique.
func structureMarkers() []definition {
	return []definition{
		{name: "listType", group: "listType", argument: "", on: []Kind{KindList},
			apply: applyListType},
		{name: "listMapKey", group: "listType", argument: "", on: []Kind{KindList}, repeats: true, remark: true, apply: applyListMapKey},
		{name: "mapType", argument: "", on: []Kind{KindMap}, remark: true,
			apply: oneOf("mapType", extMapType, "granular", "atomic")},
		{name: "structType", argument: "", on: []Kind{KindStruct, KindMap}, remark: true,
			apply: oneOf("structType", extMapType, "granular", "atomic")},
	}
}

// oneOf sets an extension to one of a few words. Like a default, it may be set beside a $ref.
func oneOf(name, extension string, accepted ...string) func(*Target, any) error {
	return func(t *Target, value any) error {
		word := text(value)
		if !slices.Contains(accepted, word) {
			return fmt.Errorf("+%s=%s: accepted: %s", name, word, strings.Join(accepted, ", "))
		}
		setExtension(t.node, extension, word)
		return nil
	}
}

// applyListType sets the type of a list. One that replaces the type that controller-tools has set
// comes with keys of its own.
func applyListType(t *Target, value any) error {
	if t.overwrites || t.builder.bundled[t.at.File] {
		delete(t.node.Extensions, extListMapKeys)
	}
	return oneOf("listType", extListType, "atomic", "set", "map")(t, value)
}

func applyListMapKey(t *Target, value any) error {
	key := text(value)
	item := t.builder.resolve(t.node.Items.Schema)
	if kindOf(item) != KindStruct {
		return fmt.Errorf("+listMapKey=%s: the items of the list are %s; list map keys are fields of structs", key, article(kindOf(item)))
	}
	if _, ok := item.Properties[key]; !ok {
		return fmt.Errorf("+listMapKey=%s: the items have no such field; accepted: %s", key, propertyNames(item))
	}
	keys, _ := t.node.Extensions[extListMapKeys].([]any)
	setExtension(t.node, extListMapKeys, append(slices.Clip(keys), key))
	return nil
}

// checkListMap reports a list of type map without keys, and keys without a list of type map. It
// runs after all markers of a target were applied.
func checkListMap(s *spec.Schema) error {
	keys, hasKeys := s.Extensions[extListMapKeys].([]any)
	isMap := s.Extensions[extListType] == "map"
	switch {
	case isMap && !hasKeys:
		return fmt.Errorf("+listType=map needs at least one +listMapKey")
	case hasKeys && !isMap:
		return fmt.Errorf("+listMapKey=%v needs +listType=map", keys[0])
	}
	return nil
}

func propertyNames(s *spec.Schema) string {
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
