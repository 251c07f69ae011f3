package infer

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// TestTimeOfPolicies: a run whose time is over before policies are proven has a report, and proposes none.
func TestTimeOfPolicies(t *testing.T) {
	t.Parallel()
	for _, most := range []time.Duration{time.Millisecond, 200 * time.Millisecond, 600 * time.Millisecond} {
		target := worldOf(t, definition("size: {type: integer}"), func(r request) (errs field.ErrorList) {
			if r.deleted.number("size") > 10 {
				errs = append(errs, field.Forbidden(at.Child("size"), "a large thing cannot be deleted"))
			}
			return errs
		}, spec{"size": int64(3)}, spec{"size": int64(30)})
		o := options()
		o.Deadline = time.Now().Add(most)
		report, err := Run(t.Context(), target, o)
		if err != nil {
			t.Fatalf("%v: %v", most, err)
		}
		if !report.Complete && report.Count(proposal.Proven) > 0 && len(report.Policies) == 0 {
			t.Errorf("%v: proven without a policy:\n%s", most, report.Text())
		}
	}
}
