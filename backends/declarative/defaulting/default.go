package defaulting

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/structural/skeleton"
)

// Defaulter defaults objects by one schema. It never changes and may be used by
// many goroutines at once.
type Defaulter struct{ root *plan }

// Compile compiles a schema. The errors are those of skeleton.Compile, and a default
// that would fill in itself again, without end, or more than 65,536 defaults.
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

// Default gives an object with its defaults. The object is a JSON value as
// k8s.io/apimachinery/pkg/util/json reads it and is not changed; it is given back
// itself when it lacks nothing. What is given shares with it what did not change:
// change neither in place.
//
// Defaults are filled in from the top down (KEP-575, example 4). A default of the
// schema itself is not looked at: the object is there.
func (d *Defaulter) Default(obj map[string]any) map[string]any {
	if d.root.idle {
		return obj
	}
	w := walk{fill: copied}
	out, _ := w.object(obj, d.root)
	return out
}

// DefaultValue is Default for a value that need not be an object.
func (d *Defaulter) DefaultValue(v any) any {
	w := walk{fill: copied}
	if out, changed := w.value(v, d.root); changed {
		return out
	}
	return v
}

// copied is a default that was expanded, for an object that may be changed by whom
// it belongs to.
func copied(p *plan) any { return runtime.DeepCopyJSONValue(p.own) }
