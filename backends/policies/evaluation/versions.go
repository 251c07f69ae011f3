package evaluation

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// scaleKind is the kind of requests to the subresource scale of any resource.
var scaleKind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}

// converter converts an object to another version.
type converter = func(context.Context, *unstructured.Unstructured, schema.GroupVersionKind) (*unstructured.Unstructured, error)

// versions knows the served versions of resources, and converts between them.
type versions struct {
	equivalents runtime.EquivalentResourceRegistry
	convert     map[schema.GroupKind]converter
	defaults    map[schema.GroupKind]func(*unstructured.Unstructured) error
}

// newVersions returns the versions of resources. A resource may have versions in several groups, as
// events have; these are equivalent.
func newVersions(resources []Resource) *versions {
	identities := map[schema.GroupResource]string{}
	all := &versions{
		equivalents: runtime.NewEquivalentResourceRegistryWithIdentity(func(of schema.GroupResource) string { return identities[of] }),
		convert:     map[schema.GroupKind]converter{},
		defaults:    map[schema.GroupKind]func(*unstructured.Unstructured) error{},
	}
	for _, resource := range resources {
		for _, version := range resource.Versions {
			all.convert[version.GroupKind()], all.defaults[version.GroupKind()] = resource.Convert, resource.Default
			if version.Has("") { // else requests to a subresource carry the kind
				identities[version.Resource().GroupResource()] = resource.Kind.String()
				all.equivalents.RegisterKindFor(version.Resource(), "", version.GroupVersionKind)
			}
			for _, subresource := range version.Subresources {
				served := version.GroupVersionKind
				if subresource == "scale" {
					served = scaleKind
				}
				all.equivalents.RegisterKindFor(version.Resource(), subresource, served)
			}
		}
	}
	return all
}

// objects returns the versions in the form of upstream's code, which passes no context.
func (v *versions) objects(ctx context.Context) *objects { return &objects{versions: v, ctx: ctx} }

// objects implements admission.ObjectInterfaces for documents.
type objects struct {
	*versions
	ctx context.Context
}

var _ admission.ObjectInterfaces = (*objects)(nil)

// GetObjectCreater returns a creator of empty documents, which Convert fills.
func (o *objects) GetObjectCreater() runtime.ObjectCreater {
	return unstructuredscheme.NewUnstructuredCreator()
}

// GetObjectTyper returns a reader of a document's kind.
func (o *objects) GetObjectTyper() runtime.ObjectTyper {
	return unstructuredscheme.NewUnstructuredObjectTyper()
}

// GetObjectDefaulter returns one that does nothing: keptPatcher fills in defaults, because that can fail.
func (o *objects) GetObjectDefaulter() runtime.ObjectDefaulter {
	return unstructuredscheme.NewUnstructuredDefaulter()
}

// fillDefaults fills in the defaults of a mutated object.
func (v *versions) fillDefaults(mutated runtime.Object) error {
	object, isDocument := mutated.(*unstructured.Unstructured)
	if !isDocument {
		return nil
	}
	if fill := v.defaults[object.GroupVersionKind().GroupKind()]; fill != nil {
		return fill(object)
	}
	return nil
}

// GetObjectConvertor returns a converter between served versions.
func (o *objects) GetObjectConvertor() runtime.ObjectConvertor { return convertor{objects: o} }

// GetEquivalentResourceMapper returns the other versions of a resource.
func (o *objects) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return o.equivalents
}

type convertor struct {
	runtime.ObjectConvertor // admission.ConvertToGVK calls only Convert
	*objects
}

// Convert fills out, which has the wanted kind, with the converted document.
func (c convertor) Convert(in, out, _ any) error {
	from, isDocument := in.(*unstructured.Unstructured)
	to, isDocumentToo := out.(*unstructured.Unstructured)
	if !isDocument || !isDocumentToo {
		return fmt.Errorf("a %T cannot be converted to a %T", in, out)
	}
	wanted := to.GroupVersionKind()
	convert := c.convert[wanted.GroupKind()]
	if convert == nil {
		to.Object = from.DeepCopy().Object
		to.SetGroupVersionKind(wanted)
		return nil
	}
	converted, err := convert(c.ctx, from, wanted)
	if err != nil {
		return err
	}
	to.Object = converted.Object
	return nil
}
