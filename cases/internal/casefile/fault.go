package casefile

import (
	"fmt"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/documents"
)

// bounded returns the fault of a case with an object that is too large or nested too deep.
func bounded(c *harness.Case) *contract.Fault {
	for _, of := range []struct {
		name   string
		object any
	}{{"object", c.Object}, {"old object", c.Old}} {
		if err := documents.CheckBounds(of.object); err != nil {
			return Faultf("%s %w", of.name, err)
		}
	}
	return nil
}

// Faultf returns the fault of a case that cannot be read.
func Faultf(format string, args ...any) *contract.Fault {
	return &contract.Fault{Reason: words.FaultInput, Err: fmt.Errorf(format, args...)}
}
