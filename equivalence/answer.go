package equivalence

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// CombineAnswers combines several answers of a validator about the same object. Errors that all answers
// have are in Errors, as often as all have them; the others are in Unstable. Both are in canonical order,
// whatever the order of the answers.
func CombineAnswers(answers ...field.ErrorList) difference.Answer {
	if len(answers) == 1 {
		return difference.Answer{Errors: fielderror.Canonical(answers[0])}
	}
	var stable, unstable field.ErrorList
	least, most := map[string]int{}, map[string]field.ErrorList{}
	for i, answer := range answers {
		counted := map[string]field.ErrorList{}
		for _, line := range normalize(answer) {
			counted[line.identity()] = append(counted[line.identity()], line.err)
		}
		for identity, errs := range counted {
			if len(errs) > len(most[identity]) {
				most[identity] = errs
			}
			if i == 0 {
				least[identity] = len(errs)
			}
		}
		for identity := range least {
			least[identity] = min(least[identity], len(counted[identity]))
		}
	}
	for identity, errs := range most {
		stable = append(stable, errs[:least[identity]]...)
		unstable = append(unstable, errs[least[identity]:]...)
	}
	return difference.Answer{Errors: fielderror.Canonical(stable), Unstable: fielderror.Canonical(unstable)}
}
