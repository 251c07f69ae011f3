package infer

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// strictErrors are the errors of the schema that the native validator does not report, on objects that it accepts.
type strictErrors struct {
	order   []causes.Cause
	byCause map[causes.Cause]*strictError
}

type strictError struct {
	cause    causes.Cause
	text     string
	smallest explore.Input
	size     int // of smallest
	count    int
	some     []explore.Input // the first ones
}

// mostOfALack bounds lack.some.
const mostOfAStrictError = 8

func newStrictErrors() *strictErrors { return &strictErrors{byCause: map[causes.Cause]*strictError{}} }

// see takes the results of an input. A wrong type is not of interest: no decoder accepts it.
func (l *strictErrors) see(target *Target, in explore.Input, results []harness.Result) {
	size := 0
	for n := range results {
		r := &results[n]
		if r.Version != target.Version || r.Effect != harness.Refuses && r.Effect != harness.Stuck {
			continue
		}
		for _, pair := range r.Pairs {
			if pair.Declarative == nil || pair.Explained() || pair.Class != equivalence.TooStrict || pair.Declarative.Type == field.ErrorTypeTypeInvalid {
				continue
			}
			cause := causes.CauseOf(r, pair)
			one := l.byCause[cause]
			if one == nil {
				one = &strictError{cause: cause, smallest: in}
				l.byCause[cause], l.order = one, append(l.order, cause)
			}
			if one.count++; len(one.some) < mostOfAStrictError {
				one.some = append(one.some, in)
			}
			if size == 0 {
				size = sizeOf(in)
			}
			if one.text == "" || size < one.size {
				one.smallest, one.size, one.text = in, size, pair.Declarative.Error()
			}
		}
	}
}
