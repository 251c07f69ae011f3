package counterexample

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Failure is an object on which a rule cannot be evaluated.
type Failure struct {
	// Object is refused only because of it. Old is the object that it updates; nil: it is created.
	Object, Old map[string]any
	// Detail is the error of the API server.
	Detail string
}

// Failure returns an object that the rest of the schema accepts, but for other rules that cannot be evaluated either.
// transition means that the rule, which has a path and a text, reads the old value.
func (f *Finder) Failure(path []string, text string, transition bool) (Failure, bool) {
	t := f.trial(path, text)
	if t == nil {
		return Failure{}, false
	}
	if !transition || t.rule.optional {
		for made := range f.candidates(t.rule, 0) {
			if t.fails(made, nil) {
				return t.failure(made), true
			}
		}
	}
	if !transition {
		return Failure{}, false
	}
	all := f.stored(t.rule)
	for _, old := range all {
		for _, made := range all {
			if t.fails(made, old) {
				return t.failure(made, old), true
			}
		}
	}
	return Failure{}, false
}

// fails reports whether the rule cannot be evaluated on an object that is refused for no other reason.
func (t *trial) fails(object, old map[string]any) bool {
	errs := t.validate(object, old)
	if !areOfRules(errs) || !t.cannotBeEvaluated(object, old) {
		return false
	}
	failed := 1
	for _, other := range t.rules {
		if len(errs) > 1 && other != t && other.cannotBeEvaluated(object, old) {
			failed++
		}
	}
	return failed == len(errs)
}

func (t *trial) cannotBeEvaluated(object, old map[string]any) bool {
	how, _ := t.outcome(object, old)
	return how == cannotBeEvaluated
}

// areOfRules reports whether there are errors, all of them those of rules.
func areOfRules(errs field.ErrorList) bool {
	return len(errs) > 0 && !slices.ContainsFunc(errs, func(err *field.Error) bool { return err.Origin != openapi.XValidations })
}

func (t *trial) failure(objects ...map[string]any) Failure {
	old := func(objects []map[string]any) map[string]any {
		if len(objects) < 2 {
			return nil
		}
		return objects[1]
	}
	small := t.smaller(func(smaller []map[string]any) bool {
		before := old(smaller)
		return (before == nil || t.accepts(before, nil)) && t.fails(smaller[0], before)
	}, objects...)
	whole := t.defaulted(small)
	_, err := t.outcome(whole[0], old(whole))
	return Failure{Object: t.shown(small[0]), Old: t.shown(old(small)), Detail: err.Detail}
}
