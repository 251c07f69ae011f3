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

// objects gives the versions to upstream's code, which knows no context.
func (v *versions) objects(ctx context.Context) *objects { return &objects{versions: v, ctx: ctx} }

// objects implements admission.ObjectInterfaces for documents.
type objects struct {
	*versions
	ctx context.Context
}

var _ admission.ObjectInterfaces = (*objects)(nil)

// GetObjectCreater makes an empty document for Convert to fill.
func (o *objects) GetObjectCreater() runtime.ObjectCreater {
	return unstructuredscheme.NewUnstructuredCreator()
}

// GetObjectTyper reads the kind of a document.
func (o *objects) GetObjectTyper() runtime.ObjectTyper {
	return unstructuredscheme.NewUnstructuredObjectTyper()
}

// GetObjectDefaulter does nothing: objects come defaulted.
func (o *objects) GetObjectDefaulter() runtime.ObjectDefaulter {
	return unstructuredscheme.NewUnstructuredDefaulter()
}

// GetObjectConvertor converts between served versions.
func (o *objects) GetObjectConvertor() runtime.ObjectConvertor { return convertor{objects: o} }

// GetEquivalentResourceMapper knows the other versions of a resource.
func (o *objects) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return o.equivalents
}

type convertor struct {
	runtime.ObjectConvertor // of its methods, admission.ConvertToGVK calls Convert alone
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
