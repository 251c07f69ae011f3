package kubernetes

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// gated is the backend of a kind that feature gates change. Each call uses the schema for the
// current gates of the process, so a test that sets a gate compares with the right schema.
type gated struct {
	*backend // with all gates in their default state
	backends *Backends
	by       countedBy
	gates    []Gate
	// registered are the gates of the process when the backend was made.
	registered map[featuregate.Feature]featuregate.FeatureSpec
}

func newGated(b *Backends, by countedBy, byDefault *backend, gates []Gate) *gated {
	return &gated{backend: byDefault, backends: b, by: by, gates: gates, registered: utilfeature.DefaultMutableFeatureGate.GetAll()}
}

// now returns the backend for the current states of the gates.
func (g *gated) now() (*backend, error) {
	var changed []string
	for _, gate := range g.gates {
		if gate.differs(g.registered) {
			changed = append(changed, gate.Name)
		}
	}
	if len(changed) == 0 {
		return g.backend, nil
	}
	by := g.by
	by.gates = joined(changed)
	compiled, err := g.backends.compiledBy(by)
	if err != nil {
		return nil, err
	}
	return compiled.(*backend), nil
}

// Validate implements harness.Backend.
func (g *gated) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	now, err := g.now()
	if err != nil {
		return nil, err
	}
	return now.Validate(ctx, in)
}

// Capabilities returns the capabilities of the schema for the current gates.
func (g *gated) Capabilities() contract.Capabilities {
	now, err := g.now()
	if err != nil {
		return g.backend.Capabilities() // Validate returns the error
	}
	return now.Capabilities()
}

// Covered counts with the current gates.
func (g *gated) Covered(gvk schema.GroupVersionKind, c *tally.Coverage) (harness.Backend, error) {
	now, err := g.now()
	if err != nil {
		return nil, err
	}
	return now.Covered(gvk, c)
}

// Document returns the schema for the current gates.
func (g *gated) Document(gvk schema.GroupVersionKind) (tally.Document, error) {
	now, err := g.now()
	if err != nil {
		return tally.Document{}, err
	}
	return now.Document(gvk)
}

// Changed changes the schema for the current gates.
func (g *gated) Changed(gvk schema.GroupVersionKind, change func(tally.Document) tally.Document) (harness.Backend, error) {
	now, err := g.now()
	if err != nil {
		return nil, err
	}
	return now.Changed(gvk, change)
}
