package shadow

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// Native stands in a harness.Target for hand-written code that only requests call.
type Native struct{}

// Name is "native".
func (Native) Name() string { return harness.NativeName }

// Validate says that it was asked.
func (Native) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, errors.New("the hand-written code of this target is called by requests alone; a comparison in a test or a run needs it as a backend")
}
