package keyword

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Scores returns the score of a value for each kind: one for each group of keywords that applies
// to the kind, whether they fail or not. This follows the match count of kube-openapi, so the
// same branch explains a failed anyOf or oneOf. A wrong type counts one less.
func (d Dialect) Scores(s *spec.Schema) (all [view.Kinds]int) {
	typed := len(d.Types(s)) > 0 || d.format(s) != ""
	for k := range view.Kinds {
		const junctors, enum, value = 2, 1, 1
		score := junctors + enum + value
		if typed {
			score += 2
		}
		switch k {
		case view.Null:
			score = 1
		case view.String:
			score++
			if d.textFormat(s) != "" {
				score++
			}
		case view.Int, view.Float, view.List:
			score += 2
		case view.Map:
			score++
		}
		all[k] = score
	}
	return all
}
