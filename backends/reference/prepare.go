package reference

import (
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
)

// Prepare gives an object as it is when it is validated: pruned and defaulted as
// Options say, on a copy. Without either it is the object itself.
//
// The order is that of a request (pkg/apiserver/customresource_handler.go): what is
// unknown goes, then nulls that are neither allowed nor defaulted, then defaults
// come in.
func (v *Validator) Prepare(obj map[string]any) map[string]any {
	if !v.opts.Prune && !v.opts.Default {
		return obj
	}
	obj = runtime.DeepCopyJSON(obj)
	if v.opts.Prune {
		pruning.Prune(obj, v.structural, v.opts.Root)
		defaulting.PruneNonNullableNullsWithoutDefaults(obj, v.structural)
	}
	if v.opts.Default {
		defaulting.Default(obj, v.structural)
	}
	return obj
}
