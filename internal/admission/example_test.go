package admission_test

import (
	"fmt"

	"github.com/diffrun/diffrun/internal/admission"
)

// MessageErrors parses the errors in the text of a refusal.
func ExampleMessageErrors() {
	for _, message := range []string{
		`[spec.size: Invalid value: -1: must be greater than or equal to 0, spec.color: Required value]`,
		`a widget cannot shrink`,
	} {
		for _, err := range admission.MessageErrors(message) {
			fmt.Printf("%s at %q: %q, origin %q\n", err.Type, err.Field, err.Detail, err.Origin)
		}
	}
	// Output:
	// Invalid value at "spec.size": "must be greater than or equal to 0", origin ""
	// Required value at "spec.color": "", origin ""
	// Invalid value at "": "a widget cannot shrink", origin "admission/text"
}
