package reference

import (
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
)

// Unknown lists the paths in an object that the schema does not declare, sorted.
// The API server drops them, or refuses the object when the request asks for strict
// field validation, as those of kubectl do.
func (v *Validator) Unknown(obj map[string]any) []string {
	return pruning.PruneWithOptions(runtime.DeepCopyJSON(obj), v.structural, v.opts.Root,
		structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}
