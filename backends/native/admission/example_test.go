package admission_test

import (
	"fmt"

	"github.com/diffrun/diffrun/backends/native/admission"
)

// MessageErrors reads the errors back from the text of a refusal.
func ExampleMessageErrors() {
	for _, message := range []string{
		`[spec.size: Invalid value: -1: must be greater than or equal to 0, spec.color: Required value]`,
		`a widget cannot shrink`,
	} {
		for _, err := range admission.MessageErrors(message) {
			fmt.Printf("%q: %s %q %s\n", err.Field, err.Type, err.Detail, err.Origin)
		}
	}
	// Output:
	// "spec.size": Invalid value "must be greater than or equal to 0"
	// "spec.color": Required value ""
	// "": Invalid value "a widget cannot shrink" admission/text
}
