package registry

import (
	"errors"
	"fmt"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// ownModule is the module with the strategies and the validation that they call.
const ownModule = "k8s.io/kubernetes/"

// ownPanic adds to a panic in Kubernetes' own code where it happened, so that users do not look for
// the mistake in a case or a schema.
func ownPanic(err error) error {
	var fault *contract.Fault
	if !errors.As(err, &fault) || fault.Reason != words.FaultPanic {
		return err
	}
	function, line, found := fault.PanickedIn(ownModule)
	if !found {
		return err
	}
	fault.Err = fmt.Errorf("%w at %s, in Kubernetes' own function %s; the API server panics as well and answers with status 500",
		fault.Err, line, function)
	return fault
}
