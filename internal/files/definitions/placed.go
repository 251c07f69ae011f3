package definitions

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Placed adds lines to the mistakes in a schema at a path of a document. Each *field.Error with a place
// in the schema ("properties[spec].pattern") gets its line, and any other error the line of the
// schema. The result is a userfile.Mistakes, or nil if err is nil.
func Placed(file string, document documents.Document, path string, err error) error {
	return PlacedAt(func(place string) strictyaml.Position { return document.At(file, join(path, place)) }, err)
}

// PlacedAt is Placed with a function that returns the position of a place in the schema. It reports a
// mistake in one line of a source once, even if several places were generated from the line.
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

// FieldErrors returns the field errors in an error, or nil if it contains anything else.
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
