package reference

import (
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Prepare gives an object as it is when it is validated: pruned and defaulted as
// Options say, on a copy. Without either it is the object itself. The errors say why
// type or metadata cannot be read: the API server refuses such a request as a bad one
// and validates nothing. Of several it gives the first that it meets.
//
// The order is that of a request (pkg/apiserver/customresource_handler.go): what is
// unknown goes, then nulls that are neither allowed nor defaulted, metadata is
// written as apimachinery writes it, then defaults come in.
func (v *Validator) Prepare(obj map[string]any) (map[string]any, field.ErrorList) {
	return v.prepare(obj, false)
}

// PrepareStored is Prepare for the old object of an update, which the API server reads
// from its storage: what cannot be read in metadata goes instead of being an error, and
// type and name of embedded resources with it. The type of the object itself and
// metadata that are no object are errors still.
func (v *Validator) PrepareStored(old map[string]any) (map[string]any, field.ErrorList) {
	return v.prepare(old, true)
}

func (v *Validator) prepare(obj map[string]any, stored bool) (map[string]any, field.ErrorList) {
	if !v.opts.Prune && !v.opts.Default {
		return obj, nil
	}
	obj = runtime.DeepCopyJSON(obj)
	if v.opts.Prune {
		if _, err := v.prune(obj, stored); err != nil {
			return nil, field.ErrorList{err}
		}
	}
	if v.opts.Default {
		defaulting.Default(obj, v.structural)
	}
	return obj, nil
}

// Unknown lists the paths in an object that the schema does not declare, sorted.
// The API server drops them, or refuses the object when the request asks for strict
// field validation, as those of kubectl do. There are none of metadata that cannot be
// read.
func (v *Validator) Unknown(obj map[string]any) []string {
	unknown, _ := v.prune(runtime.DeepCopyJSON(obj), false)
	slices.Sort(unknown)
	return unknown
}

// prune changes an object, and gives the paths that it loses and what keeps it from
// being one.
func (v *Validator) prune(obj map[string]any, stored bool) ([]string, *field.Error) {
	if stored && v.opts.Root {
		if err := unreadable(obj); err != nil {
			return nil, err
		}
	}
	var unknown []string
	if !v.preservesUnknown {
		unknown = pruning.PruneWithOptions(obj, v.structural, v.opts.Root, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		defaulting.PruneNonNullableNullsWithoutDefaults(obj, v.structural)
	}
	err, inMetadata := objectmeta.CoerceWithOptions(nil, obj, v.structural, v.opts.Root, objectmeta.CoerceOptions{DropInvalidFields: stored, ReturnUnknownFieldPaths: true})
	return append(unknown, inMetadata...), err
}

// unreadable says what in type and metadata of a stored object the API server cannot
// do without (pkg/apiserver/customresource_handler.go, unstructuredSchemaCoercer);
// coercion would drop that, as it does in embedded resources.
func unreadable(obj map[string]any) *field.Error {
	for _, name := range [...]string{"apiVersion", "kind"} {
		if v, found := obj[name]; found {
			if _, ok := v.(string); !ok {
				return field.Invalid(field.NewPath(name), v, "must be a string")
			}
		}
	}
	if v, found := obj["metadata"]; found && v != nil {
		if _, ok := v.(map[string]any); !ok {
			return field.Invalid(field.NewPath("metadata"), v, "must be an object")
		}
	}
	return nil
}
