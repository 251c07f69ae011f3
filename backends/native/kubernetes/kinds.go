package kubernetes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// strategy is what the API server's registry asks about a resource.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// strategies are what validates a resource and its subresources, by the name of the
// subresource; "" is the resource itself.
type strategies map[string]strategy

// kind is a kind that this package validates.
type kind struct {
	schema.GroupKind
	// resource is the plural that request paths use.
	resource   string
	strategies strategies
}

// internal makes the hub type that all versions convert through.
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

// find gives the kind of a name; a kind that moved between groups (Deployment
// was extensions') is found by each of them.
func find(wanted schema.GroupKind) (kind, error) {
	for _, k := range kinds() {
		for _, version := range k.versions() {
			if version.GroupKind() == wanted {
				return k, nil
			}
		}
	}
	names := make([]string, 0, len(kinds()))
	for _, k := range kinds() {
		names = append(names, k.String())
	}
	return kind{}, fmt.Errorf("no native validator for %s; there are %s", wanted, strings.Join(names, ", "))
}

// versions lists the versions that legacyscheme has of a kind, those of its
// own group first, the preferred ones before the others.
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

// strategyFor gives what validates a subresource.
func (k kind) strategyFor(subresource string) (strategy, error) {
	if s, ok := k.strategies[subresource]; ok {
		return s, nil
	}
	var names []string
	for name := range k.strategies {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return nil, fmt.Errorf("no native validator for the subresource %q of %s; there are [%s]", subresource, k.GroupKind, strings.Join(names, ", "))
}
