package plaintext

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/text/fieldvalue"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// Error returns an error on one line. It cuts the value and the detail of a validation error separately, so
// that a long value does not hide the detail.
func Error(err error) string {
	invalid, is := err.(*field.Error)
	if !is {
		return Line(oneline.Of(err))
	}
	return Cut(invalid.Field, MaxLine) + ": " + ErrorBody(invalid)
}

// ErrorBody returns the error without its field.
func ErrorBody(err *field.Error) string {
	if fieldvalue.IsValue(err.Type) {
		return Cut(oneline.Text(err.Detail), MaxValue)
	}
	valued := *err
	valued.Detail = ""
	body := Cut(oneline.Text(valued.ErrorBody()), MaxValue)
	if err.Detail != "" {
		body += Line(oneline.Text(": " + err.Detail))
	}
	return body
}
