package reference

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CompileResource compiles a version of a CustomResourceDefinition. The API server's own strategy
// validates the objects, including type, metadata and scale. If there is no such version, the error
// lists the others.
func CompileResource(crd *apiextensionsv1.CustomResourceDefinition, version string, opts Options) (*Validator, error) {
	served, err := find(crd, version)
	if err != nil {
		return nil, err
	}
	opts.Root = true
	both, err := newSchemas(served.Schema.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", crd.Name, version, err)
	}
	if err := brokenRules(both.structural, true); err != nil {
		return nil, fmt.Errorf("%s %s: %w", crd.Name, version, err)
	}
	sub, err := subresourcesOf(served)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", crd.Name, version, err)
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: crd.Spec.Names.Kind}
	main := customresource.NewStrategy(nil, crd.Spec.Scope == apiextensionsv1.NamespaceScoped, kind,
		both.validator, sub.statusSchema, both.structural, sub.status, sub.scale, served.SelectableFields)
	v := &Validator{opts: opts, structural: both.structural, preservesUnknown: crd.Spec.PreserveUnknownFields, main: resource{main}}
	if sub.status != nil {
		v.status = resource{customresource.NewStatusStrategy(main)}
	}
	return v, nil
}

// find returns a version that has a schema.
func find(crd *apiextensionsv1.CustomResourceDefinition, version string) (*apiextensionsv1.CustomResourceDefinitionVersion, error) {
	var names []string
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		if v.Name != version {
			names = append(names, v.Name)
			continue
		}
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return nil, fmt.Errorf("%s %s has no schema", crd.Name, version)
		}
		return v, nil
	}
	return nil, fmt.Errorf("%s has no version %q; it has %s", crd.Name, version, strings.Join(names, ", "))
}

// subresources has the subresources of a version.
type subresources struct {
	status       *apiextensions.CustomResourceSubresourceStatus
	statusSchema validation.SchemaValidator
	scale        *apiextensions.CustomResourceSubresourceScale
}

func subresourcesOf(version *apiextensionsv1.CustomResourceDefinitionVersion) (subresources, error) {
	var sub subresources
	if version.Subresources == nil {
		return sub, nil
	}
	if version.Subresources.Scale != nil {
		sub.scale = &apiextensions.CustomResourceSubresourceScale{}
		if err := apiextensionsv1.Convert_v1_CustomResourceSubresourceScale_To_apiextensions_CustomResourceSubresourceScale(
			version.Subresources.Scale, sub.scale, nil); err != nil {
			return sub, err
		}
	}
	if version.Subresources.Status == nil {
		return sub, nil
	}
	sub.status = &apiextensions.CustomResourceSubresourceStatus{}
	if status, ok := version.Schema.OpenAPIV3Schema.Properties["status"]; ok {
		validator, err := newSchemaValidator(&status)
		if err != nil {
			return sub, err
		}
		sub.statusSchema = validator
	}
	return sub, nil
}

// resource adapts a strategy of the API server.
type resource struct {
	upstream interface {
		Validate(ctx context.Context, obj runtime.Object) field.ErrorList
		ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
	}
}

func (r resource) create(ctx context.Context, obj map[string]any) field.ErrorList {
	return r.upstream.Validate(ctx, &unstructured.Unstructured{Object: obj})
}

func (r resource) update(ctx context.Context, obj, old map[string]any) field.ErrorList {
	return r.upstream.ValidateUpdate(ctx, &unstructured.Unstructured{Object: obj}, &unstructured.Unstructured{Object: old})
}
