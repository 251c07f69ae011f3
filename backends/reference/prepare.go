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
	if !v.opts.Prune && !v.opts.Default {
		return obj, nil
	}
	obj = runtime.DeepCopyJSON(obj)
	if v.opts.Prune {
		if _, err := v.prune(obj); err != nil {
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
	unknown, _ := v.prune(runtime.DeepCopyJSON(obj))
	slices.Sort(unknown)
	return unknown
}

// prune changes an object, and gives the paths that it loses and what keeps it from
// being one.
func (v *Validator) prune(obj map[string]any) ([]string, *field.Error) {
	var unknown []string
	if !v.preservesUnknown {
		unknown = pruning.PruneWithOptions(obj, v.structural, v.opts.Root, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		defaulting.PruneNonNullableNullsWithoutDefaults(obj, v.structural)
	}
	err, inMetadata := objectmeta.CoerceWithOptions(nil, obj, v.structural, v.opts.Root, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	return append(unknown, inMetadata...), err
}
