package admission_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/admission"
)

func TestErrorsOf(t *testing.T) {
	a := field.Invalid(field.NewPath("a"), map[string]any{"b, c: Required value": int64(1)}, "text")
	b := field.Required(field.NewPath("b"), "")
	text := func(detail string) *field.Error {
		return &field.Error{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: detail, Origin: admission.OriginText}
	}
	list := field.ErrorList{a, b}
	kind := schema.GroupKind{Group: "example.com", Kind: "Widget"}
	for _, tc := range []struct {
		why  string
		err  error
		want field.ErrorList
	}{
		{"no error", nil, nil},
		{"an error with a field", b, field.ErrorList{b}},
		{"an aggregate", list.ToAggregate(), list},
		{"an aggregate that was wrapped", fmt.Errorf("widget w: %w", list.ToAggregate()), list},
		{"an aggregate of which only the text arrived", fmt.Errorf("%v", list.ToAggregate()), list},
		{"a status with causes", apierrors.NewInvalid(kind, "w", list), list},
		{"a status that was wrapped", fmt.Errorf("webhook: %w", apierrors.NewInvalid(kind, "w", list)), list},
		{"a status without a reason", apierrors.NewBadRequest("no"), field.ErrorList{text("no")}},
		{"joined errors of different types", errors.Join(a, errors.New("plain"), list.ToAggregate(), fmt.Errorf("outer: %w", b)),
			field.ErrorList{a, text("plain"), a, b, b}},
		{"several wrapped at once", fmt.Errorf("%w and %w", a, b), list},
		{"a plain error is one error at the root", errors.New("size: too big"), field.ErrorList{text("size: too big")}},
		{"a wrapped plain error keeps its whole text", fmt.Errorf("outer: %w", errors.New("inner")), field.ErrorList{text("outer: inner")}},
	} {
		t.Run(tc.why, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, admission.ErrorsOf(tc.err)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
