package mutate

import (
	"strings"

	"github.com/diffrun/diffrun/harness"
)

// outcome has the parts of a result that a gate uses: the verdict, the effect, and for each pair the field,
// the class, and whether it is explained.
type outcome string

func outcomeOf(r *harness.Result) outcome {
	parts := []string{string(r.Verdict), string(r.Effect)}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if p.Exact() {
			parts = append(parts, p.Field())
			continue
		}
		explained := "unexplained"
		if p.Explained() {
			explained = "explained"
		}
		parts = append(parts, p.Field()+"\x00"+string(p.Class)+"\x00"+explained)
	}
	return outcome(strings.Join(parts, "\x01"))
}
