// Package admissionpolicies evaluates the ValidatingAdmissionPolicies of suites with the API server's library.
package admissionpolicies

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/policies"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/cases"
)

// Load is a cases.PolicyLoader.
func Load(files []cases.PolicyFile, resources []serving.Resource) (*cases.Policies, error) {
	var read []policies.File
	for _, file := range files {
		read = append(read, policies.File(file))
	}
	options := policies.Options{}
	for _, resource := range resources {
		options.Resources = append(options.Resources, policyResource(resource))
	}
	set, err := policies.Load(read, options)
	if err != nil {
		return nil, err
	}
	return &cases.Policies{Policies: set, Unreached: set.Unreached, Places: set.Places(), Warnings: append(set.TypeCheck(), set.MissingFields()...)}, nil
}

// policyResource describes a resource to policies.
func policyResource(resource serving.Resource) policies.Resource {
	of := policies.Resource{
		Description: resource.Describe(),
		Convert: func(_ context.Context, object *unstructured.Unstructured, to schema.GroupVersionKind) (*unstructured.Unstructured, error) {
			converted, err := resource.Convert(object.Object, to)
			return &unstructured.Unstructured{Object: converted}, err
		},
	}
	if definition, isDefined := resource.(*customresource.Definition); isDefined {
		of.Schema = schemaOf(definition.Resource())
	}
	return of
}

// schemaOf returns the function that finds the schemas that the API server publishes.
func schemaOf(of customresource.Resource) func(version string) *spec.Schema {
	return func(version string) *spec.Schema {
		if at := slices.IndexFunc(of.Versions, func(v customresource.Version) bool { return v.Name == version }); at >= 0 && !of.Versions[at].Unserved {
			return of.Versions[at].Schema
		}
		return nil
	}
}
