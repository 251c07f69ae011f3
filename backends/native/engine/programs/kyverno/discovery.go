//go:build ignore

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kyverno/kyverno/pkg/clients/dclient"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"
)

// discovery says which resource a kind has, as the discovery of a cluster does: of the kinds of Kubernetes and
// of the definitions in the files.
type discovery struct {
	dclient.IDiscovery
	definitions []*apiextensionsv1.CustomResourceDefinition
}

func newDiscovery(definitions []*apiextensionsv1.CustomResourceDefinition) discovery {
	return discovery{definitions: definitions}
}

// FindResources returns the resource of a kind in its preferred version, or in the one that is named. A star
// stands for any group and version.
func (d discovery) FindResources(group, wanted, kind, subresource string) (map[dclient.TopLevelApiDescription]metav1.APIResource, error) {
	found := map[dclient.TopLevelApiDescription]metav1.APIResource{}
	for _, known := range d.kinds() {
		if known.gvk.Kind != kind || group != "*" && known.gvk.Group != group || wanted != "*" && known.gvk.Version != wanted {
			continue
		}
		if wanted == "*" && !known.preferred {
			continue
		}
		name := known.plural
		if subresource != "" {
			name += "/" + subresource
		}
		of := dclient.TopLevelApiDescription{GroupVersion: known.gvk.GroupVersion(), Kind: kind, Resource: known.plural,
			SubResource: subresource}
		found[of] = metav1.APIResource{Name: name, Kind: kind, Group: known.gvk.Group, Version: known.gvk.Version}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no kind %s in the group %s; if a CustomResourceDefinition has it, name its file, too", kind, group)
	}
	return found, nil
}

// resource is a kind with the name of its resource.
type resource struct {
	gvk       schema.GroupVersionKind
	plural    string
	preferred bool // its version is the first that the API server offers
}

// kinds returns all kinds. Groups that clusters no longer serve are left out.
func (d discovery) kinds() []resource {
	var kinds []resource
	for gvk := range scheme.Scheme.AllKnownTypes() {
		if gvk.Group == "extensions" || gvk.Version == "__internal" || strings.HasSuffix(gvk.Kind, "List") ||
			strings.HasSuffix(gvk.Kind, "Options") {
			continue
		}
		plural, _ := meta.UnsafeGuessKindToResource(gvk)
		newer := slices.ContainsFunc(scheme.Scheme.VersionsForGroupKind(gvk.GroupKind()), func(other schema.GroupVersion) bool {
			return version.CompareKubeAwareVersionStrings(other.Version, gvk.Version) > 0
		})
		kinds = append(kinds, resource{gvk, plural.Resource, !newer})
	}
	for _, definition := range d.definitions {
		served := slices.DeleteFunc(slices.Clone(definition.Spec.Versions), func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
			return !v.Served
		})
		for i, of := range served {
			gvk := schema.GroupVersionKind{Group: definition.Spec.Group, Version: of.Name, Kind: definition.Spec.Names.Kind}
			kinds = append(kinds, resource{gvk, definition.Spec.Names.Plural, i == 0})
		}
	}
	return kinds
}
