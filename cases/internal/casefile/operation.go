package casefile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// fitsOperation returns an error if the operation of a case is unknown or does not match its
// objects. The default operation is an update if there is an old object, else a create.
func fitsOperation(operation string, hasOld bool) error {
	switch {
	case operation == "":
	case !slices.Contains(harness.Operations(), harness.Operation(operation)):
		return oneof.Check("operation", harness.Operation(operation), harness.Operations()...)
	case operation == string(harness.Update) && !hasOld:
		return errors.New("an UPDATE needs the old object")
	case operation != string(harness.Update) && hasOld:
		return fmt.Errorf("a %s takes no old object; object is the object that is sent or deleted", operation)
	}
	return nil
}
