package declarative

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// locate validates an input again and finds the keyword or rule of the schema that each error comes
// from. The first call compiles the schema once more.
func (b Backend) locate(ctx context.Context, in *harness.Input) ([]contract.Located, error) {
	counting, err := b.locating()
	if err != nil {
		return nil, err
	}
	return tally.LocateErrors(ctx, func(ctx context.Context) (field.ErrorList, error) { return Backend{counting}.Validate(ctx, in) })
}

// locatingOf compiles a schema once more on first use, to locate its errors.
func locatingOf(v *Validator) func() (*Validator, error) {
	return sync.OnceValues(func() (*Validator, error) { return v.Covered(&tally.Coverage{}) })
}
