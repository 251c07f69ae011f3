// Package apis has the signatures of knative.dev/pkg/apis that the validators use.
package apis

import "context"

// CurrentField is the path of the object itself.
const CurrentField = ""

// FieldError is an error.
type FieldError struct {
	Message, Details string
	Paths            []string
}

func (fe *FieldError) Also(errs ...*FieldError) *FieldError          { return fe }
func (fe *FieldError) ViaField(prefix ...string) *FieldError         { return fe }
func (fe *FieldError) ViaFieldIndex(field string, i int) *FieldError { return fe }
func (fe *FieldError) ViaIndex(index int) *FieldError                { return fe }
func (fe *FieldError) ViaKey(key string) *FieldError                 { return fe }
func (fe *FieldError) Error() string                                 { return fe.Message }

func ErrMissingField(fieldPaths ...string) *FieldError { return &FieldError{} }

func ErrMultipleOneOf(fieldPaths ...string) *FieldError { return &FieldError{} }

func ErrInvalidValue(value any, fieldPath string, details ...string) *FieldError {
	return &FieldError{}
}

func ErrGeneric(diagnostic string, fieldPaths ...string) *FieldError { return &FieldError{} }

func IsInDelete(ctx context.Context) bool { return false }

func IsInUpdate(ctx context.Context) bool { return false }

func GetBaseline(ctx context.Context) any { return nil }
