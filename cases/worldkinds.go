package cases

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/serving"
)

// worldKinds are the kinds that a world reads and validates.
type worldKinds interface {
	// all describes the kinds.
	all() []serving.Resource
	// find returns a kind.
	find(kind schema.GroupKind) (serving.Resource, error)
}

// definedKind is the kind of a definition.
type definedKind struct{ serving.Resource }

func (d definedKind) all() []serving.Resource { return []serving.Resource{d.Resource} }

func (d definedKind) find(kind schema.GroupKind) (serving.Resource, error) {
	if own := d.Describe().Kind; own != kind {
		return nil, fmt.Errorf("the worlds are of %s, not of %s", own, kind)
	}
	return d.Resource, nil
}

// builtinKinds are the kinds of a builtin that are resources.
type builtinKinds struct {
	names     []schema.GroupKind
	resources map[schema.GroupKind]serving.Resource
	// schemas validate nothing in a world. Objects are generated from them.
	schemas Declaratives
}

func newBuiltinKinds(of Builtin) *builtinKinds {
	made := &builtinKinds{resources: map[schema.GroupKind]serving.Resource{}, schemas: of.Declaratives}
	for _, kind := range of.Natives.Kinds() {
		resource, err := of.Served(kind)
		if err != nil {
			continue // requests to a subresource carry it
		}
		for _, version := range resource.Describe().Versions {
			if name := version.GroupKind(); made.resources[name] == nil {
				made.resources[name] = resource
			}
		}
		made.names = append(made.names, kind)
	}
	return made
}

func (b *builtinKinds) all() []serving.Resource {
	all := make([]serving.Resource, len(b.names))
	for i, kind := range b.names {
		all[i] = b.resources[kind]
	}
	return all
}

func (b *builtinKinds) find(kind schema.GroupKind) (serving.Resource, error) {
	if resource := b.resources[kind]; resource != nil {
		return resource, nil
	}
	return nil, fmt.Errorf("no API server serves %s by itself", kind)
}

// groupKinds returns the kinds of resources in all groups that serve them.
func groupKinds(resources []serving.Resource) []schema.GroupKind {
	var kinds []schema.GroupKind
	for _, resource := range resources {
		for _, version := range resource.Describe().Versions {
			if !slices.Contains(kinds, version.GroupKind()) {
				kinds = append(kinds, version.GroupKind())
			}
		}
	}
	return kinds
}
