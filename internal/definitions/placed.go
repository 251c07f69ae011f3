package definitions

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// Placed gives the mistakes of a schema, which stands at a path of a document, their
// lines. Errors that hold several, each a *field.Error with a place in the schema
// ("properties[spec].pattern"), get a line each; any other is one of the whole
// schema. The error is a userfile.Mistakes, nil where err is.
func Placed(file string, document documents.Document, path string, err error) error {
	if err == nil {
		return nil
	}
	var mistakes strictyaml.Mistakes
	for _, one := range FieldErrors(err) {
		mistakes.Addf(document.At(file, join(path, one.Field)), "the schema does not compile: %v", plaintext.Error(one))
	}
	if len(mistakes) == 0 {
		mistakes.Addf(document.At(file, path), "the schema does not compile: %v", plaintext.Error(err))
	}
	return mistakes.Err()
}

func join(path, inside string) string {
	if path == "" {
		return inside
	}
	return path + "." + inside
}

// FieldErrors finds the mistakes in an error that holds nothing else; none where it
// holds something else.
func FieldErrors(err error) field.ErrorList {
	var all field.ErrorList
	var several interface{ Unwrap() []error }
	var aggregate interface{ Errors() []error }
	var parts []error
	switch {
	case errors.As(err, &several):
		parts = several.Unwrap()
	case errors.As(err, &aggregate):
		parts = aggregate.Errors()
	default:
		parts = []error{err}
	}
	for _, part := range parts {
		one := (*field.Error)(nil)
		if !errors.As(part, &one) {
			return nil
		}
		all = append(all, one)
	}
	return all
}
