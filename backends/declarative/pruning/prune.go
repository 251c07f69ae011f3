package pruning

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi/skeleton"
)

// Pruner prunes objects by one schema. It never changes and may be used by many
// goroutines at once.
type Pruner struct {
	root *plan
	opts Options
}

// Result is a pruned object.
type Result struct {
	// Object is the pruned object. It shares unchanged parts with the original, and is the original if
	// nothing changed. Change neither in place.
	Object map[string]any
	// Dropped are the paths of fields that the schema does not declare, in order, as
	// strict field validation reports them ("spec.ports[0].color"). A null that was
	// dropped is not among them, nor is malformed metadata.
	Dropped []string
	// Errors report malformed metadata, and types of resources that are no strings. They are of
	// type Invalid, sorted by field.
	Errors field.ErrorList
}

// Compile compiles a schema. The errors are those of skeleton.Compile.
func Compile(schema *spec.Schema, opts Options) (*Pruner, error) {
	n, err := skeleton.Compile(schema, opts.Definitions)
	if err != nil {
		return nil, err
	}
	p := newPlanner(opts)
	root := p.root(n)
	p.link()
	return &Pruner{root: root, opts: opts}, nil
}

// Prune prunes an object, a JSON value as k8s.io/apimachinery/pkg/util/json reads
// it. The object is not changed.
func (p *Pruner) Prune(obj map[string]any) Result {
	pruned, dropped, errs := p.PruneValue(obj)
	out, _ := pruned.(map[string]any)
	return Result{out, dropped, errs}
}

// PruneValue prunes a value that need not be an object, such as the default of a field. It returns
// the value, the dropped fields, and the errors, as in a Result. The value is not changed.
func (p *Pruner) PruneValue(v any) (any, []string, field.ErrorList) {
	if p.root.idle || cleanValue(v, p.root) {
		return v, nil, nil
	}
	w := walk{opts: &p.opts}
	if out, changed := w.value(v, p.root); changed {
		v = out
	}
	return v, w.paths(), w.errors()
}
