package validation

import (
	v1 "example.com/widgets/api/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type Options struct {
	AllowBig bool
	hidden   int
}

func ValidateWidget(w *v1.Widget, opts Options) field.ErrorList {
	var errs field.ErrorList
	if w.Spec.Size < 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "size"), w.Spec.Size, "must be greater than or equal to 0"))
	}
	if w.Spec.Size > 10 && !opts.AllowBig {
		errs = append(errs, field.Invalid(field.NewPath("spec", "size"), w.Spec.Size, "must be less than or equal to 10"))
	}
	if w.Spec.Color == "panic" {
		panic("no such color")
	}
	errs = append(errs, ValidateSpec(&w.Spec, field.NewPath("spec"))...)
	return errs
}

func ValidateSpec(s *v1.WidgetSpec, path *field.Path) field.ErrorList {
	if s.Color == "black" {
		return field.ErrorList{field.NotSupported(path.Child("color"), s.Color, []string{"red"})}
	}
	return nil
}

func ValidateWidgetUpdate(newObj, oldObj *v1.Widget) (errs field.ErrorList) {
	defer func() { recover() }()
	errs = ValidateWidget(newObj, Options{})
	if newObj.Spec.Color != oldObj.Spec.Color {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "color"), "immutable"))
	}
	return
}

func ValidateAny[T any](o *T, _ *field.Path) *field.Error { return nil }
