package plaintext

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/oneline"
)

// Error gives an error on one line. Of an error of validation the value is cut apart
// from the detail, which stands behind it and must not be lost with it.
func Error(err error) string {
	invalid, is := err.(*field.Error)
	if !is {
		return Line(oneline.Of(err))
	}
	return Cut(invalid.Field, MaxLine) + ": " + ErrorBody(invalid)
}

// ErrorBody is the error without its field.
func ErrorBody(err *field.Error) string {
	valued := *err
	valued.Detail = ""
	body := Cut(oneline.Text(valued.ErrorBody()), MaxValue)
	if err.Detail != "" {
		body += Line(oneline.Text(": " + err.Detail))
	}
	return body
}
