package defaulting

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi/skeleton"
)

// Defaulter fills in the defaults of one schema. It is immutable and safe for concurrent use.
type Defaulter struct{ root *plan }

// Compile compiles a schema. It returns the errors of skeleton.Compile, and an error if a default
// contains itself or fills in more than 65,536 other defaults.
func Compile(schema *spec.Schema, opts Options) (*Defaulter, error) {
	n, err := skeleton.Compile(schema, opts.Definitions)
	if err != nil {
		return nil, err
	}
	p := planner{opts: opts, plans: map[*skeleton.Node]*plan{}}
	root := p.of(n)
	p.link()
	e := expander{state: map[*plan]expansion{}, at: map[*plan]string{}}
	for _, n := range p.order {
		e.at[p.plans[n]] = n.At
	}
	for _, n := range p.order {
		e.expand(p.plans[n])
	}
	if len(e.errs) > 0 {
		return nil, e.errs.ToAggregate()
	}
	return &Defaulter{root: root}, nil
}

// Default returns an object with the defaults filled in. The object is a JSON value as decoded by
// k8s.io/apimachinery/pkg/util/json. It is not changed. If nothing is missing, Default returns the
// object itself. Otherwise the result shares all unchanged parts with the object, so neither may
// be changed in place afterwards.
//
// Defaults are filled in from the top down (KEP-575, example 4). The default of the root schema is
// ignored, because the object exists.
func (d *Defaulter) Default(obj map[string]any) map[string]any {
	out, _ := d.DefaultValue(obj).(map[string]any)
	return out
}

// DefaultValue is like Default, but accepts any JSON value.
func (d *Defaulter) DefaultValue(v any) any {
	w := walk{fill: copied}
	if out, changed := w.value(v, d.root); changed {
		return out
	}
	return v
}

// copied returns a copy of an expanded default, because the caller may change the object.
func copied(p *plan) any { return runtime.DeepCopyJSONValue(p.own) }
