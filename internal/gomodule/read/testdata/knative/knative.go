// Package knative has a validator in the style of knative.
package knative

import (
	"context"

	"knative.dev/pkg/apis"
)

// TypeMeta makes a struct an object.
type TypeMeta struct{}

// Task is the object.
type Task struct {
	TypeMeta `json:",inline"`

	Spec TaskSpec `json:"spec"`
}

// TaskSpec is validated by a method of its own.
type TaskSpec struct {
	Image   string            `json:"image,omitempty"`
	Script  string            `json:"script,omitempty"`
	Retries int               `json:"retries,omitempty"`
	Steps   []Step            `json:"steps,omitempty"`
	Params  map[string]string `json:"params,omitempty"`
}

// Step is an item.
type Step struct {
	Name  string `json:"name,omitempty"`
	Image string `json:"image,omitempty"`
}

// Validate is called by the webhook.
func (t *Task) Validate(ctx context.Context) *apis.FieldError {
	if apis.IsInDelete(ctx) {
		return nil
	}
	errs := t.Spec.Validate(ctx).ViaField("spec")
	if apis.IsInUpdate(ctx) {
		if old, ok := apis.GetBaseline(ctx).(*Task); ok && old != nil && old.Spec.Image != t.Spec.Image {
			errs = errs.Also(&apis.FieldError{Message: "cannot change", Paths: []string{"spec.image"}})
		}
	}
	return errs
}

// Validate checks the fields.
func (s *TaskSpec) Validate(ctx context.Context) (errs *apis.FieldError) {
	if s.Image == "" {
		errs = errs.Also(apis.ErrMissingField("image"))
	}
	if s.Script != "" && len(s.Steps) > 0 {
		errs = errs.Also(apis.ErrMultipleOneOf("script", "steps"))
	}
	if s.Retries < 0 {
		return errs.Also(apis.ErrInvalidValue(s.Retries, "retries", "must not be negative"))
	}
	for i, step := range s.Steps {
		errs = errs.Also(step.validate().ViaFieldIndex("steps", i))
	}
	for key, value := range s.Params {
		if value == "" {
			errs = errs.Also(apis.ErrGeneric("has no value", apis.CurrentField).ViaKey(key).ViaField("params"))
		}
	}
	return errs
}

func (s Step) validate() *apis.FieldError {
	if s.Name == "" {
		return apis.ErrMissingField("name")
	}
	if s.Image == "" {
		return apis.ErrMissingField("image")
	}
	return nil
}
