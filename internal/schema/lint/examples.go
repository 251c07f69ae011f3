package lint

import (
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/schema/counterexample"
)

// examples finds objects that show what is wrong with the rules of one schema.
type examples struct{ finder func() *counterexample.Finder }

// examplesOf returns the examples for a schema. Its finder is made when a rule needs it; it is nil if no objects can be made.
func (w *walker) examplesOf(schema *spec.Schema, root bool) *examples {
	return &examples{sync.OnceValue(func() *counterexample.Finder {
		finder, err := counterexample.New(schema, declarative.Options{
			Root: root, Semantics: w.opts.semantics(), Definitions: w.opts.Definitions, WithoutEstimation: true,
		})
		if err != nil {
			return nil
		}
		return finder
	})}
}

// failure returns an object on which a rule cannot be evaluated.
func (v *visit) failure(r *rule) (counterexample.Failure, bool) {
	finder := v.examples.finder()
	if finder == nil {
		return counterexample.Failure{}, false
	}
	return finder.Failure(v.steps, r.text, r.old)
}

// evasion returns two updates that evade a rule about the old value.
func (v *visit) evasion(r *rule) (counterexample.Evasion, bool) {
	finder := v.examples.finder()
	if finder == nil || r.expr == nil || v.branch {
		return counterexample.Evasion{}, false
	}
	return finder.Evasion(v.steps, r.text)
}
