package shadow

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Native is the native backend of a target whose hand-written code only requests call.
type Native struct{}

// Name is "native".
func (Native) Name() string { return contract.NativeName }

// Validate returns an error, because there is nothing to call.
func (Native) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, errors.New("only requests call the hand-written code of this target; a comparison in a test or a run needs it as a backend")
}
