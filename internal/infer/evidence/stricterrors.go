package evidence

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// StrictErrors are the errors of the schema that the native validator does not report, on objects that it accepts.
type StrictErrors struct {
	Order   []causes.Cause
	ByCause map[causes.Cause]*strictError
}

type strictError struct {
	Text     string
	Smallest explore.Input
	size     int // of smallest
	Count    int
	Some     []explore.Input // the first ones
}

// mostOfALack bounds lack.some.
const mostOfAStrictError = 8

func NewStrictErrors() *StrictErrors { return &StrictErrors{ByCause: map[causes.Cause]*strictError{}} }

// See takes the results of an input. A wrong type is not of interest: no decoder accepts it.
func (l *StrictErrors) See(target *Target, in explore.Input, results []harness.Result) {
	size := 0
	for n := range results {
		r := &results[n]
		if r.Version != target.Version || r.Effect != words.Refuses && r.Effect != words.Stuck {
			continue
		}
		for _, pair := range r.Pairs {
			if pair.Declarative == nil || pair.Explained() || pair.Class != difference.TooStrict ||
				pair.Declarative.Type == field.ErrorTypeTypeInvalid {
				continue
			}
			cause := causes.CauseOf(r, pair)
			one := l.ByCause[cause]
			if one == nil {
				one = &strictError{Smallest: in}
				l.ByCause[cause], l.Order = one, append(l.Order, cause)
			}
			if one.Count++; len(one.Some) < mostOfAStrictError {
				one.Some = append(one.Some, in)
			}
			if size == 0 {
				size = SizeOf(in)
			}
			if one.Text == "" || size < one.size {
				one.Smallest, one.size, one.Text = in, size, pair.Declarative.Error()
			}
		}
	}
}
