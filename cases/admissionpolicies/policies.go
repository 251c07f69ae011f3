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
	"github.com/diffrun/diffrun/cases"
)

// Load is a cases.PolicyLoader.
func Load(files []cases.PolicyFile, of *customresource.Definition) (*cases.Policies, error) {
	var read []policies.File
	for _, file := range files {
		read = append(read, policies.File(file))
	}
	set, err := policies.Load(read, policies.Options{Resources: []policies.Resource{resourceOf(of)}})
	if err != nil {
		return nil, err
	}
	return &cases.Policies{Policies: set, Rules: set.Rules(), Warnings: append(set.TypeCheck(), set.MissingFields()...)}, nil
}

// resourceOf describes a definition to policies.
func resourceOf(d *customresource.Definition) policies.Resource {
	of := d.Resource()
	told := policies.Resource{
		GroupResource: schema.GroupResource{Group: of.Kind.Group, Resource: of.Plural}, Kind: of.Kind.Kind,
		Convert: func(_ context.Context, object *unstructured.Unstructured, version string) (*unstructured.Unstructured, error) {
			converted, err := d.Convert(object.Object, version)
			return &unstructured.Unstructured{Object: converted}, err
		},
	}
	told.Schema = func(version string) *spec.Schema {
		if at := slices.IndexFunc(of.Versions, func(v customresource.Version) bool { return v.Name == version }); at >= 0 && !of.Versions[at].Unserved {
			return of.Versions[at].Schema
		}
		return nil // the API server publishes no schema of it
	}
	for _, version := range of.Versions {
		told.Versions = append(told.Versions, version.Name)
		for _, name := range version.Subresources.Names() {
			if !slices.Contains(told.Subresources, name) {
				told.Subresources = append(told.Subresources, name)
			}
		}
	}
	return told
}
