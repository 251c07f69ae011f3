package cases

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
)

// faulty returns the job of a case that cannot be compared. It is reported once, in the version
// that the case is written in, and no stage runs. A version that the suite does not have is left
// empty, so a broken case adds no target to reports and metrics.
func (t *targets) faulty(c harness.Case, version schema.GroupVersionKind) (harness.Job, error) {
	why := errors.New("a case with a fault is not compared")
	first, second := t.sides.Names()
	compared, err := harness.New(&harness.Target{
		Suite:    t.suite.Name,
		Sides:    t.suite.Sides,
		Kind:     version.GroupKind(),
		Scheme:   harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: version, Native: broken{first, why}, Declarative: broken{second, why}}},
	}, t.options.Harness)
	return harness.Job{Harness: compared, Case: c}, err
}
