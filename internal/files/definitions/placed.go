package definitions

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Placed gives the mistakes of a schema, which stands at a path of a document, their
// lines. Errors that hold several, each a *field.Error with a place in the schema
// ("properties[spec].pattern"), get a line each; any other is one of the whole
// schema. The error is a userfile.Mistakes, nil where err is.
func Placed(file string, document documents.Document, path string, err error) error {
	return PlacedAt(func(place string) strictyaml.Position { return document.At(file, join(path, place)) }, err)
}

// PlacedAt is Placed with a function that gives the line of a place in the schema. What is wrong
// with one line of a source is said once, however many places were made of it.
func PlacedAt(at func(place string) strictyaml.Position, err error) error {
	if err == nil {
		return nil
	}
	type complaint struct {
		strictyaml.Position
		body string
	}
	var mistakes strictyaml.Mistakes
	said := map[complaint]bool{}
	for _, one := range FieldErrors(err) {
		here := complaint{at(one.Field), one.ErrorBody()}
		if !said[here] || here.Line == 0 {
			mistakes.Addf(here.Position, "the schema does not compile: %v", plaintext.Error(one))
		}
		said[here] = true
	}
	if len(mistakes) == 0 {
		mistakes.Addf(at(""), "the schema does not compile: %v", plaintext.Error(err))
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
