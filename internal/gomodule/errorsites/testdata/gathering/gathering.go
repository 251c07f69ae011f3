// Package gathering makes errors, and puts them together in the ways that webhooks do.
package gathering

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type handler struct {
	validator admission.Validator[runtime.Object]
}

func validate(name string) (errs field.ErrorList) {
	if name == "" {
		errs = append(errs, field.Required(field.NewPath("name"), ""))
	}
	return errs
}

func check(name string) error {
	if name == "bad" {
		return errors.New("the name is bad")
	}
	if errs := validate(name); len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{}, name, errs)
	}
	return nil
}

func wrapped(name string) error {
	if err := validate(name).ToAggregate(); err != nil {
		return fmt.Errorf("invalid: %w", err)
	}
	if errs := validate(name); len(errs) > 1 {
		return fmt.Errorf("invalid: %w", errs.ToAggregate())
	}
	err := utilerrors.NewAggregate([]error{check(name)})
	return fmt.Errorf("%s: %s", name, err.Error())
}

func (h handler) handle(ctx context.Context, name string, object runtime.Object) admission.Response {
	if name == "forbidden" {
		return admission.Denied("the name is forbidden")
	}
	size, err := strconv.Atoi(name)
	if err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if err := check(name); err != nil {
		return admission.Denied(err.Error())
	}
	if _, err := h.validator.ValidateCreate(ctx, object); err != nil {
		return admission.Errored(int32(size), err)
	}
	if size > 3 {
		return admission.Errored(http.StatusInternalServerError, fmt.Errorf("%d is too large", size))
	}
	return admission.Denied(wrapped(name).Error())
}
