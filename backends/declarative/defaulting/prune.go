package defaulting

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/openapi"
)

// PruneDefaults returns the schema of a resource's root with pruned defaults. The API server
// prunes them in the same way before it serves a custom resource: it removes unknown fields, and
// in the metadata of embedded resources also fields that cannot be decoded (KEP-575, "Behaviour of
// Embedded Resource ObjectMeta Defaults"). The schema is not changed; the result shares unchanged
// parts with it.
//
// Defaults in allOf, anyOf, oneOf and not, and behind a $ref, are kept: a structural schema has
// none.
func PruneDefaults(schema *spec.Schema) (*spec.Schema, error) {
	pruner, err := pruning.Compile(schema, pruning.Options{
		Root: true, Nulls: pruning.KeepNulls, Metadata: pruning.DropMalformedMetadata,
	})
	if err != nil {
		return nil, err
	}
	p := defaultPruner{pruner: pruner}
	pruned := p.schema(schema, nil)
	return pruned, p.err
}

// defaultPruner places each default into an object and prunes that object, because only the
// surrounding schema knows which fields of the default are unknown.
type defaultPruner struct {
	pruner *pruning.Pruner
	err    error // the first
}

// place is one step from an object to a default inside it: a field or an item.
type place struct {
	name string
	item bool
}

// anyName is the key of all entries that additionalProperties covers.
const anyName = "*"

// schema prunes the defaults of a schema at a path.
func (p *defaultPruner) schema(s *spec.Schema, path []place) *spec.Schema {
	pruned := p.value(s.Default, path)
	out := openapi.MapChildren(s, func(c openapi.Child) *spec.Schema {
		at := place{name: c.Name}
		switch {
		case !c.IsPart():
			return c.Schema
		case c.Keyword == "items":
			at.item = true
		case c.Keyword == "additionalProperties":
			at.name = anyName
		}
		return p.schema(c.Schema, append(slices.Clip(path), at))
	})
	out.Default = pruned
	return out
}

// value prunes one default. It returns nil if there is none, or the whole default was removed.
func (p *defaultPruner) value(v any, path []place) any {
	if v == nil {
		return nil
	}
	v, err := openapi.JSON(v)
	if err != nil {
		p.err = cmp.Or(p.err, fmt.Errorf("a default is not JSON: %w", err))
		return nil
	}
	around := v
	for _, at := range slices.Backward(path) {
		if at.item {
			around = []any{around}
		} else {
			around = map[string]any{at.name: around}
		}
	}
	obj, ok := around.(map[string]any)
	if !ok {
		p.err = cmp.Or(p.err, fmt.Errorf("the default of a resource's root must be an object, not %T", v))
		return nil
	}
	var pruned any = p.pruner.Prune(obj).Object
	for _, at := range path {
		switch in := pruned.(type) {
		case map[string]any:
			pruned = in[at.name]
		case []any:
			if len(in) == 0 {
				return nil
			}
			pruned = in[0]
		default:
			return nil
		}
	}
	return pruned
}
