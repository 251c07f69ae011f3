package registry

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// strategy is the registry strategy of a resource in the API server.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// strategies maps the name of a subresource to its strategy; "" is the resource itself.
type strategies map[string]strategy

// kind is a kind that this package validates.
type kind struct {
	schema.GroupKind
	// resource is the plural that request paths use.
	resource   string
	strategies strategies
}

// internal returns a new object of the hub type, which all versions convert through.
func (k kind) internal() runtime.Object {
	made, err := legacyscheme.Scheme.New(k.WithVersion(runtime.APIVersionInternal))
	if err != nil {
		panic(fmt.Sprintf("kubernetes: %s is not in legacyscheme: %v", k, err)) // the table is wrong
	}
	return made
}

// Kinds lists the kinds that this package validates, by group and kind.
func Kinds() []schema.GroupKind {
	var all []schema.GroupKind
	for _, k := range kinds() {
		all = append(all, k.GroupKind)
	}
	return all
}

// KindOf is kubernetes.KindOf.
func KindOf(object any) (schema.GroupKind, error) {
	if whole, isObject := object.(runtime.Object); isObject {
		hubs, _, err := legacyscheme.Scheme.ObjectKinds(whole)
		if err != nil {
			return schema.GroupKind{}, err
		}
		if k, ok := byName()[hubs[0].GroupKind()]; ok {
			return k.GroupKind, nil
		}
		return schema.GroupKind{}, fmt.Errorf("%s has no native validator", hubs[0].GroupKind())
	}
	var nearest schema.GroupKind
	steps := math.MaxInt
	for _, k := range kinds() {
		if at, err := k.part(object, nil); err == nil && len(at) < steps {
			nearest, steps = k.GroupKind, len(at)
		}
	}
	if nearest.Empty() {
		return nearest, fmt.Errorf("no kind with a native validator has a field of the type %T", object)
	}
	return nearest, nil
}

// find returns the kind with a name. A kind that moved between groups (Deployment was in
// extensions) is found by each of them.
func find(wanted schema.GroupKind) (kind, error) {
	if k, ok := byName()[wanted]; ok {
		return k, nil
	}
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.String())
	}
	return kind{}, fmt.Errorf("no native validator for %s; there are %s", wanted, strings.Join(names, ", "))
}

// byName returns the kinds by all of their names.
var byName = sync.OnceValue(func() map[schema.GroupKind]kind {
	all := map[schema.GroupKind]kind{}
	for _, k := range kinds() {
		for _, version := range k.versions() {
			name := version.GroupKind()
			if _, taken := all[name]; !taken {
				all[name] = k
			}
		}
	}
	return all
})

// versions returns the versions of a kind in legacyscheme: those of its own group first, the
// preferred ones before the others.
func (k kind) versions() []schema.GroupVersionKind {
	hubs, _, err := legacyscheme.Scheme.ObjectKinds(k.internal())
	if err != nil {
		panic(fmt.Sprintf("kubernetes: %s is not in legacyscheme: %v", k, err)) // the table above is wrong
	}
	slices.SortFunc(hubs, func(a, b schema.GroupVersionKind) int {
		return cmp.Or(btoi(a.Group != k.Group)-btoi(b.Group != k.Group), strings.Compare(a.Group, b.Group))
	})
	var all []schema.GroupVersionKind
	for _, hub := range hubs {
		for _, version := range legacyscheme.Scheme.PrioritizedVersionsForGroup(hub.Group) {
			if gvk := version.WithKind(k.Kind); hub.Kind == k.Kind && legacyscheme.Scheme.Recognizes(gvk) {
				all = append(all, gvk)
			}
		}
	}
	return all
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (k kind) namespaced() bool { return k.strategies[""].NamespaceScoped() }

// strategyFor returns the strategy of a subresource.
func (k kind) strategyFor(subresource string) (strategy, error) {
	if s, ok := k.strategies[subresource]; ok {
		return s, nil
	}
	return nil, fmt.Errorf("no native validator for the subresource %q of %s; there are [%s]", subresource, k.GroupKind,
		strings.Join(k.strategies.subresources(), ", "))
}

// subresources returns the names of the subresources that have a strategy, sorted.
func (s strategies) subresources() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(name string) bool { return name == "" })
}
