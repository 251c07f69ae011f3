package customresource

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/recording"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// start records the strategy, and the objects of a request.
func (a customResourceStrategy) start(function string, obj, old runtime.Object) *recording.Recorder {
	r := recording.Start(function)
	if a.structuralSchema != nil {
		r.Schema(a.structuralSchema.Recorded())
	}
	r.Flag("namespaced", a.validator.namespaceScoped).Flag("status", a.status != nil).
		Flag("group", a.validator.kind.Group).Flag("version", a.validator.kind.Version).Flag("kind", a.validator.kind.Kind).
		Flag("schema", a.validator.schemaValidator != nil).Flag("rules", a.celValidator != nil)
	if a.scale != nil {
		r.Flag("scale", a.scale)
	}
	if u, ok := obj.(*unstructured.Unstructured); ok {
		r.Object(u.Object)
	}
	if u, ok := old.(*unstructured.Unstructured); ok {
		r.Old(u.Object)
	}
	return r
}

func (a customResourceStrategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	r := a.start("strategy.Validate", obj, nil)
	errs := a.unrecordedValidate(ctx, obj)
	r.Errors(errs).Write()
	return errs
}

func (a customResourceStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	r := a.start("strategy.ValidateUpdate", obj, old)
	errs := a.unrecordedValidateUpdate(ctx, obj, old)
	r.Errors(errs).Write()
	return errs
}

func (a customResourceStrategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	r := a.start("strategy.PrepareForUpdate", obj, old)
	a.unrecordedPrepareForUpdate(ctx, obj, old)
	r.After(obj.(*unstructured.Unstructured).Object).Write()
}

func (a statusStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	r := a.start("statusStrategy.ValidateUpdate", obj, old)
	errs := a.unrecordedValidateUpdate(ctx, obj, old)
	r.Errors(errs).Write()
	return errs
}

func (a statusStrategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	r := a.start("statusStrategy.PrepareForUpdate", obj, old)
	a.unrecordedPrepareForUpdate(ctx, obj, old)
	r.After(obj.(*unstructured.Unstructured).Object).Write()
}
