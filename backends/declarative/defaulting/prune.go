package defaulting

import (
	"fmt"
	"maps"
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
	pruned, err := p.schema(schema, nil)
	if err != nil {
		return nil, err
	}
	return &pruned, nil
}

// defaultPruner places each default into an object and prunes that object, because only the
// surrounding schema knows which fields of the default are unknown.
type defaultPruner struct{ pruner *pruning.Pruner }

// place is one step from an object to a default inside it: a field or an item.
type place struct {
	name string
	item bool
}

// anyName is the key of all entries that additionalProperties covers.
const anyName = "*"

func (p *defaultPruner) schema(s *spec.Schema, path []place) (spec.Schema, error) {
	out := *s
	if s.Default != nil {
		pruned, err := p.value(s.Default, path)
		if err != nil {
			return out, err
		}
		out.Default = pruned
	}
	if len(s.Properties) > 0 {
		out.Properties = make(map[string]spec.Schema, len(s.Properties))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		pruned, err := p.schema(&property, append(slices.Clip(path), place{name: name}))
		if err != nil {
			return out, err
		}
		out.Properties[name] = pruned
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		pruned, err := p.schema(s.AdditionalProperties.Schema, append(slices.Clip(path), place{name: anyName}))
		if err != nil {
			return out, err
		}
		out.AdditionalProperties = &spec.SchemaOrBool{Allows: s.AdditionalProperties.Allows, Schema: &pruned}
	}
	if s.Items != nil && s.Items.Schema != nil {
		pruned, err := p.schema(s.Items.Schema, append(slices.Clip(path), place{item: true}))
		if err != nil {
			return out, err
		}
		out.Items = &spec.SchemaOrArray{Schema: &pruned}
	}
	return out, nil
}

// value prunes one default. It returns nil if the whole default was removed.
func (p *defaultPruner) value(v any, path []place) (any, error) {
	v, err := openapi.JSON(v)
	if err != nil {
		return nil, fmt.Errorf("a default is not JSON: %w", err)
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
		return nil, fmt.Errorf("the default of a resource's root must be an object, not %T", v)
	}
	var pruned any = p.pruner.Prune(obj).Object
	for _, at := range path {
		switch in := pruned.(type) {
		case map[string]any:
			pruned = in[at.name]
		case []any:
			if len(in) == 0 {
				return nil, nil
			}
			pruned = in[0]
		default:
			return nil, nil
		}
	}
	return pruned, nil
}
