package equivalence

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Steady combines several answers of a validator about the same object. Errors that all answers have are
// Steady, as often as all have them; the others are Unstable. Both are in canonical order, whatever the
// order of the answers.
func Steady(answers ...field.ErrorList) Answer {
	if len(answers) == 1 {
		return Answer{Steady: Canonical(answers[0])}
	}
	var steady, unstable field.ErrorList
	least, most := map[string]int{}, map[string]field.ErrorList{}
	for i, answer := range answers {
		said := map[string]field.ErrorList{}
		for _, line := range normalize(answer) {
			said[line.identity()] = append(said[line.identity()], line.err)
		}
		for identity, errs := range said {
			if len(errs) > len(most[identity]) {
				most[identity] = errs
			}
			if i == 0 {
				least[identity] = len(errs)
			}
		}
		for identity := range least {
			least[identity] = min(least[identity], len(said[identity]))
		}
	}
	for identity, errs := range most {
		steady = append(steady, errs[:least[identity]]...)
		unstable = append(unstable, errs[least[identity]:]...)
	}
	return Answer{Steady: Canonical(steady), Unstable: Canonical(unstable)}
}
