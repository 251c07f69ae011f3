package reference

import (
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Prepare returns an object as validation sees it: a copy, pruned and defaulted as Options say.
// Without either it returns the object itself. The errors say why type or metadata cannot be read:
// the API server rejects such a request as a bad request and validates nothing. Only the first
// error is returned.
//
// The order is that of a request (pkg/apiserver/customresource_handler.go): unknown fields are
// dropped, then nulls that are neither allowed nor defaulted, metadata is written as apimachinery
// writes it, and defaults are filled in.
func (v *Validator) Prepare(obj map[string]any) (map[string]any, field.ErrorList) {
	return v.prepare(obj, false)
}

// PrepareStored is Prepare for the old object of an update, which the API server reads from
// storage: it drops unreadable metadata, and the type and name of embedded resources with it,
// instead of returning errors. The type of the object itself, and metadata that is not an object,
// are still errors.
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

// Unknown returns the paths in an object that the schema does not declare, sorted. The API server
// drops them, or refuses the object under strict field validation, which kubectl requests. Metadata
// that cannot be read has none.
func (v *Validator) Unknown(obj map[string]any) []string {
	unknown, _ := v.prune(runtime.DeepCopyJSON(obj), false)
	slices.Sort(unknown)
	return unknown
}

// prune changes an object, and returns the dropped paths and the error that makes it unreadable, as
// unstructuredSchemaCoercer of
// k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go does. Type and metadata of
// a resource are read before anything is dropped, and written afterwards: null is metadata without
// a field there, whatever the schema says.
func (v *Validator) prune(obj map[string]any, stored bool) ([]string, *field.Error) {
	var meta *metav1.ObjectMeta
	var unknown []string
	if v.opts.Root {
		var err *field.Error
		if meta, unknown, err = readMeta(obj, stored); err != nil {
			return nil, err
		}
	}
	if !v.preservesUnknown {
		dropped := pruning.PruneWithOptions(obj, v.structural, v.opts.Root,
			structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		unknown = append(unknown, dropped...)
		defaulting.PruneNonNullableNullsWithoutDefaults(obj, v.structural)
	}
	err, embedded := objectmeta.CoerceWithOptions(nil, obj, v.structural, false,
		objectmeta.CoerceOptions{DropInvalidFields: stored, ReturnUnknownFieldPaths: true})
	if err == nil && meta != nil {
		if failed := objectmeta.SetObjectMeta(obj, meta); failed != nil {
			err = field.Invalid(field.NewPath("metadata"), obj["metadata"], failed.Error())
		}
	}
	return append(unknown, embedded...), err
}

// readMeta returns the metadata of a resource, nil if it has none, and its unknown fields. The
// error may also be about the type.
func readMeta(obj map[string]any, stored bool) (*metav1.ObjectMeta, []string, *field.Error) {
	for _, name := range [...]string{"kind", "apiVersion"} {
		if _, _, err := unstructured.NestedString(obj, name); err != nil {
			return nil, nil, field.Invalid(field.NewPath(name), obj[name], "must be a string")
		}
	}
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(obj,
		objectmeta.ObjectMetaOptions{DropMalformedFields: stored, ReturnUnknownFieldPaths: true})
	switch {
	case err != nil:
		return nil, nil, field.Invalid(field.NewPath("metadata"), obj["metadata"], err.Error())
	case !found:
		return nil, nil, nil
	}
	return meta, unknown, nil
}
