package casefile

import (
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// fitsOperation returns an error if the operation of a case is unknown or does not match its
// objects. The default operation is an update if there is an old object, else a create.
func fitsOperation(operation string, hasOld bool) error {
	switch {
	case operation == "":
	case !slices.Contains(apiname.Operations(), admissionv1.Operation(operation)):
		return oneof.Check("operation", admissionv1.Operation(operation), apiname.Operations()...)
	case operation == string(admissionv1.Update) && !hasOld:
		return errors.New("an UPDATE needs the old object")
	case operation != string(admissionv1.Update) && hasOld:
		return fmt.Errorf("a %s has no old object; object is the object that is sent or deleted", operation)
	}
	return nil
}
