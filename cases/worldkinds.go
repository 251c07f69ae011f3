package cases

import (
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
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

// schemaKind returns the kind of a schema that is no definition, or nil after a mistake.
func (l *loader) schemaKind(side *suitefile.Schemas) worldKinds {
	load, scope := func() (*resources, error) { return l.loadOpenAPI(side.OpenAPI) }, side.Scope()
	if side.Go != nil {
		load = func() (*resources, error) { return l.loadGoType(side.Go) }
	}
	if err := suitefile.ScopeOf(scope).Check(); err != nil {
		l.shared.mistakes.Addf(side.Position, "%v", err)
	}
	made, err := load()
	l.shared.mistakes.Merge(l.Name, err)
	if err != nil || len(made.kinds) == 0 {
		return nil
	}
	of := made.kinds[len(made.kinds)-1].Resource()
	switch {
	case of.NativeTypes:
		of.Namespaced = scope != string(apiextensionsv1.ClusterScoped)
	case scope != "":
		l.shared.mistakes.Addf(side.Position, "scope is not accepted here, because the markers of the type have it; remove it")
	}
	if of.Plural == "" {
		plural, _ := meta.UnsafeGuessKindToResource(of.Kind.WithVersion(of.Versions[0].Name))
		of.Plural = plural.Resource
	}
	definition, err := apiresource.NewDefinition(of)
	if err != nil {
		l.shared.mistakes.Addf(side.Position, "%v", err)
		return nil
	}
	return definedKind{definition}
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
	for _, kind := range append(slices.Clone(of.Natives.Kinds()), of.SubresourceKinds...) {
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
