package objectmeta

import (
	"context"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/recording"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func Validate(ctx context.Context, pth *field.Path, obj interface{}, s *structuralschema.Structural, isResourceRoot bool) field.ErrorList {
	r := recording.Start("objectmeta.Validate").Object(obj).At(pth).Flag("root", isResourceRoot)
	if s != nil {
		r.Schema(s.Recorded())
	}
	errs := unrecordedValidate(ctx, pth, obj, s, isResourceRoot)
	r.Errors(errs).Write()
	return errs
}

func CoerceWithOptions(pth *field.Path, obj interface{}, s *structuralschema.Structural, isResourceRoot bool,
	opts CoerceOptions) (*field.Error, []string) {
	r := recording.Start("Coerce").Object(obj).At(pth).Flag("root", isResourceRoot).
		Flag("drop", opts.DropInvalidFields).Flag("paths", opts.ReturnUnknownFieldPaths)
	if s != nil {
		r.Schema(s.Recorded())
	}
	err, paths := unrecordedCoerceWithOptions(pth, obj, s, isResourceRoot, opts)
	if err != nil {
		r.Errors(field.ErrorList{err})
	}
	r.After(obj).Paths(paths).Write()
	return err, paths
}

func GetObjectMetaWithOptions(obj map[string]interface{}, opts ObjectMetaOptions) (*metav1.ObjectMeta, bool, []string, error) {
	r := recording.Start("GetObjectMeta").Object(obj).At(opts.ParentPath).
		Flag("drop", opts.DropMalformedFields).Flag("paths", opts.ReturnUnknownFieldPaths)
	meta, found, paths, err := unrecordedGetObjectMetaWithOptions(obj, opts)
	if !r.ByTest() || !found && err == nil {
		return meta, found, paths, err
	}
	if err != nil {
		r.Errors(field.ErrorList{field.Invalid(field.NewPath("metadata"), obj["metadata"], err.Error())})
	} else if metadata, failed := runtime.DefaultUnstructuredConverter.ToUnstructured(meta); failed == nil {
		r.After(map[string]any{"metadata": metadata})
	}
	r.Paths(paths).Write()
	return meta, found, paths, err
}
