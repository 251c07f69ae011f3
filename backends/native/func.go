package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// Func is a hand-written validator for a Go type T: a pointer to a struct, or map[string]any. For a
// create, old is the zero value of T. It is not called for deletes. Func implements
// harness.Backend.
type Func[T any] func(ctx context.Context, object, old T) field.ErrorList

// Name is "native".
func (Func[T]) Name() string { return contract.NativeName }

// Validate calls the function. A document is decoded into T first; one that
// does not fit T is a fault.
func (f Func[T]) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return f.validate(ctx, in, decodeStrictly)
}

// Lenient returns a backend that decodes as a webhook of controller-runtime does: it drops fields
// that T does not have, and refuses a document that does not fit T with an error at each field whose value T
// cannot hold.
func (f Func[T]) Lenient() harness.Backend { return lenient[T]{f} }

type lenient[T any] struct{ Func[T] }

func (f lenient[T]) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	errs, err := f.validate(ctx, in, decodeJSON)
	if undecodable := (*decodingError)(nil); errors.As(err, &undecodable) {
		return undecodable.errors(), nil
	}
	return errs, err
}

// decodingError reports that a document does not fit a Go type.
type decodingError struct {
	document map[string]any
	into     reflect.Type // a pointer
	err      error
}

func (e *decodingError) Error() string { return fmt.Sprintf("decoding into %s: %v", e.into, e.err) }

// errors returns an error for each value that the type cannot hold, as a schema does, where the decoder stops at the
// first. If their places are unknown, one without a field has the text.
func (e *decodingError) errors() field.ErrorList {
	_, errs := jsonerrors.Decodable(nil, e.document, func(value any) error {
		return decodeJSON(value, reflect.New(e.into.Elem()).Interface())
	})
	for _, err := range errs {
		err.Detail, err.Origin = "the Go type of the webhook cannot hold it: "+err.Detail, fielderror.OriginDecoding
	}
	if len(errs) == 0 {
		return field.ErrorList{{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: e.Error(),
			Origin: fielderror.OriginText}}
	}
	return errs
}

// decoding reads a document into a pointer to a struct.
type decoding func(document map[string]any, into any) error

func (f Func[T]) validate(ctx context.Context, in *harness.Input, decode decoding) (field.ErrorList, error) {
	object, err := as[T](in.Object, decode)
	if err != nil {
		return nil, err
	}
	old, err := as[T](in.Old, decode)
	if err != nil {
		return nil, fmt.Errorf("old object: %w", err)
	}
	return f(ctx, object, old), nil
}

// decodeJSON decodes as the serializer of apimachinery does, which webhooks use: a number that overflows is an
// error, and the converter for unstructured objects would cut it.
func decodeJSON[D any](document D, into any) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(text, into)
}

// decodeStrictly refuses fields that the type does not have, because a case with a misspelled field
// tests nothing. A validator's own type may lack apiVersion, kind and metadata.
func decodeStrictly(document map[string]any, into any) error {
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(document, into, true)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	if !isStrict {
		return err
	}
	var unknown []error
	for _, err := range strict.Errors() {
		switch err.Error() {
		case `unknown field "apiVersion"`, `unknown field "kind"`, `unknown field "metadata"`:
		default:
			unknown = append(unknown, err)
		}
	}
	return errors.Join(unknown...)
}

// as returns a copy of the object of a view, because validators may modify their arguments. Without a view it
// returns the zero value.
func as[T any](view *contract.View, decode decoding) (T, error) {
	var none T
	if view == nil {
		return none, nil
	}
	if typed, ok := view.Typed(); ok {
		if object, ok := typed.DeepCopyObject().(T); ok {
			return object, nil
		}
	}
	document, err := view.Unstructured()
	if err != nil {
		return none, err
	}
	document = runtime.DeepCopyJSON(document)
	if object, ok := any(document).(T); ok {
		return object, nil
	}
	pointer := reflect.TypeFor[T]()
	if pointer.Kind() != reflect.Pointer {
		return none, fmt.Errorf("a native validator takes a pointer to a struct or map[string]any, not %s", pointer)
	}
	object := reflect.New(pointer.Elem()).Interface()
	if err := decode(document, object); err != nil {
		return none, &decodingError{document, pointer, err}
	}
	return object.(T), nil
}
