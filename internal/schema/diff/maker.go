package diff

import (
	"context"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Maker makes any number of objects and updates for a schema. The result depends only on the
// number, the try, the seed and the known objects.
type Maker struct {
	side side
	seed uint64
	bare bool // the objects have no metadata
	opts generate.ObjectOptions
	// updates means that nothing is created, because the requests are to a subresource.
	updates bool
}

// Making are the options of NewMaker.
type Making struct {
	Version schema.GroupVersionKind
	Seed    uint64
	// Known are objects of the kind, of any version. Updates start from those that the schema
	// accepts, and from others that the Maker finds.
	Known []map[string]any
	// Updates means that nothing is created, because the requests are to a subresource.
	Updates bool
}

// The limits of a Maker that looks for valid objects. They are lower than those of a comparison,
// because a suite may have many kinds.
const (
	makerBeginnings = 6
	makerSteps      = 300
	makerKnown      = 64
)

// NewMaker looks for valid objects of a version, and returns a Maker that starts with them. The
// Maker does not keep the validator, because the rules of all Kubernetes kinds take hundreds of
// megabytes. The error says why no objects can be made.
func NewMaker(ctx context.Context, of Side, making Making) (*Maker, error) {
	props, err := expand(of)
	if err != nil {
		return nil, err
	}
	m := &Maker{side: side{schema: props, validate: of.Validate}, seed: making.Seed, bare: of.bare, updates: making.Updates}
	m.opts.APIVersion, m.opts.Kind = making.Version.ToAPIVersionAndKind()
	src, wrong := generate.Seeded(making.Seed), m.side.mistakes(ctx)
	m.opts.ClusterScoped = slices.ContainsFunc(wrong(generate.Object(src, &apiextensionsv1.JSONSchemaProps{}, m.opts)), func(mistake generate.Mistake) bool {
		return mistake.Field == "metadata.namespace"
	})
	for range makerBeginnings {
		opts := m.opts
		opts.Values, opts.Defaulted = 1+src.IntN(20), true
		object := generate.Object(src, props, opts)
		if mended, ok := generate.Mend(src, props, object, generate.Mending{Wrong: wrong, Steps: makerSteps, Object: opts}); ok {
			m.side.valid = append(m.side.valid, mended)
		}
	}
	m.begin(making.Known, wrong)
	m.side.validate = nil
	return m, ctx.Err()
}

// begin adds known objects that are valid in the version, up to a limit.
func (m *Maker) begin(known []map[string]any, wrong func(map[string]any) []generate.Mistake) {
	enough := len(m.side.valid) + makerKnown
	for _, object := range known {
		object = runtime.DeepCopyJSON(object)
		object["apiVersion"], object["kind"] = m.opts.APIVersion, m.opts.Kind
		if len(m.side.valid) < enough && len(wrong(object)) == 0 {
			m.side.valid = append(m.side.valid, object)
		}
	}
}

// faults is the number of values for each wrong one in objects with wrong values.
const faults = 20

// Tries is how many results of a number a caller may refuse. It compares the last one in any case.
const Tries = 8

// Make returns the object for a number. Every third number is an update with an old object, or
// every number if nothing is created. Each try returns another result, for callers that cannot use
// the previous one: an update instead of a create or the reverse, and no wrong values in the second
// half of the tries.
func (m *Maker) Make(number uint64, try int) (object, old map[string]any) {
	object, old = m.make(number, try)
	if m.bare {
		delete(object, "metadata")
		delete(old, "metadata")
	}
	return object, old
}

func (m *Maker) make(number uint64, try int) (object, old map[string]any) {
	src, opts := generate.Seeded(m.seed+number<<20+uint64(try)), m.opts
	if src.IntN(3) > 0 && try < Tries/2 {
		opts.Faults = faults
	}
	number += uint64(try)
	switch {
	case m.updates && len(m.side.valid) == 0:
		base := generate.Object(src, m.side.schema, opts)
		return stored(generate.Update(src, m.side.schema, base, opts)), stored(base)
	case !m.updates && (len(m.side.valid) == 0 || number%3 == 0):
		return created(generate.Object(src, m.side.schema, opts)), nil
	}
	base := m.side.valid[src.IntN(len(m.side.valid))]
	object = generate.Update(src, m.side.schema, base, opts)
	if !m.updates && number%3 == 1 {
		return created(object), nil
	}
	return stored(object), stored(runtime.DeepCopyJSON(base))
}

// stored returns an object as it is after its creation. Valid objects may have lost their version
// while they were fixed.
func stored(object map[string]any) map[string]any {
	if metadata, has := object["metadata"].(map[string]any); has {
		metadata["resourceVersion"] = "1"
	}
	return object
}

// created returns an object as a client creates it.
func created(object map[string]any) map[string]any {
	if metadata, has := object["metadata"].(map[string]any); has {
		delete(metadata, "resourceVersion")
	}
	return object
}
