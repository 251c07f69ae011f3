package policies

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// versions knows the served versions of resources, and converts between them.
type versions struct {
	equivalents runtime.EquivalentResourceRegistry
	convert     map[schema.GroupKind]func(context.Context, *unstructured.Unstructured, string) (*unstructured.Unstructured, error)
}

func newVersions(resources []Resource) *versions {
	all := &versions{
		equivalents: runtime.NewEquivalentResourceRegistry(),
		convert:     map[schema.GroupKind]func(context.Context, *unstructured.Unstructured, string) (*unstructured.Unstructured, error){},
	}
	for _, resource := range resources {
		kind := schema.GroupKind{Group: resource.Group, Kind: resource.Kind}
		all.convert[kind] = resource.Convert
		for _, version := range resource.Versions {
			at := resource.WithVersion(version)
			all.equivalents.RegisterKindFor(at, "", kind.WithVersion(version))
			for _, subresource := range resource.Subresources {
				served := kind.WithVersion(version)
				if subresource == "scale" {
					served = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
				}
				all.equivalents.RegisterKindFor(at, subresource, served)
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

// GetObjectDefaulter returns one that does nothing: objects are defaulted.
func (o *objects) GetObjectDefaulter() runtime.ObjectDefaulter {
	return unstructuredscheme.NewUnstructuredDefaulter()
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
	converted, err := convert(c.ctx, from, wanted.Version)
	if err != nil {
		return err
	}
	to.Object = converted.Object
	return nil
}
