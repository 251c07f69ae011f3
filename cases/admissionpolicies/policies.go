// Package admissionpolicies evaluates the admission policies of suites with the API server's library.
package admissionpolicies

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/userfile"
)

// Load is a cases.PolicyLoader.
func Load(files cases.PolicyFiles, resources []serving.Resource) (*cases.Policies, error) {
	options := evaluation.Options{}
	for _, resource := range resources {
		options.Resources = append(options.Resources, policyResource(resource))
	}
	made := &cases.Policies{}
	var mistakes userfile.Mistakes
	var bound []unreaching
	if len(files.Validating) > 0 {
		set, err := evaluation.Load(read(files.Validating, files.Mutating), options)
		mistakes.Merge("", err)
		if err == nil {
			made.Validating, bound = set, append(bound, set)
			made.Expressions = append(made.Expressions, expressions(set.Expressions())...)
			made.Warnings = slices.Concat(set.TypeCheck(), set.MissingFields(), set.MissingParameters())
		}
	}
	if len(files.Mutating) > 0 {
		set, err := evaluation.LoadMutations(read(files.Mutating, files.Validating), options)
		mistakes.Merge("", err)
		if err == nil {
			made.Mutating, bound = set, append(bound, set)
			made.Warnings = append(made.Warnings, set.MissingParameters()...)
			made.Expressions = append(made.Expressions, expressions(set.Expressions())...)
		}
	}
	if len(files.Conditions) > 0 {
		conditions, err := evaluation.LoadConditions(files.Conditions, options.Resources)
		mistakes.Merge("", err)
		made.Conditions = conditions
	}
	made.Unreached = func(matches func([]admissionregistrationv1.RuleWithOperations) bool, why string) (all userfile.Mistakes) {
		for _, set := range bound {
			all = append(all, set.Unreached(matches, why)...)
		}
		return all
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	return made, nil
}

func expressions(of []evaluation.Expression) []cases.PolicyExpression {
	var all []cases.PolicyExpression
	for _, one := range of {
		all = append(all, cases.PolicyExpression(one))
	}
	return all
}

// unreaching are bound policies of either kind.
type unreaching interface {
	Unreached(matches func([]admissionregistrationv1.RuleWithOperations) bool, why string) userfile.Mistakes
}

// read returns files. Those among others have policies of both kinds.
func read(files, others []cases.PolicyFile) []evaluation.File {
	all := make([]evaluation.File, len(files))
	for i, file := range files {
		mixed := slices.ContainsFunc(others, func(other cases.PolicyFile) bool { return other.Name == file.Name })
		all[i] = evaluation.File{Name: file.Name, Data: file.Data, Mixed: mixed}
	}
	return all
}

// typed is a resource whose objects have Go types.
type typed interface {
	// TypeConverter returns what applies configurations to objects.
	TypeConverter() managedfields.TypeConverter
}

// policyResource describes a resource to policies.
func policyResource(resource serving.Resource) evaluation.Resource {
	of := evaluation.Resource{
		Description: resource.Describe(),
		Convert: func(_ context.Context, object *unstructured.Unstructured, to schema.GroupVersionKind) (*unstructured.Unstructured,
			error) {
			converted, err := resource.Convert(object.Object, to)
			return &unstructured.Unstructured{Object: converted}, err
		},
		Default: func(object *unstructured.Unstructured) (err error) {
			object.Object, err = resource.Default(object.Object)
			return err
		},
	}
	switch resource := resource.(type) {
	case *apiresource.Definition:
		of.Schema, of.NonStructural = schemaOf(resource.Resource()), resource.Resource().NativeTypes
	case typed:
		of.TypeConverter = resource.TypeConverter
	}
	return of
}

// schemaOf returns the function that finds the schemas that the API server publishes, without references.
func schemaOf(of apiresource.Resource) func(version string) *spec.Schema {
	schemas := map[string]*spec.Schema{}
	for _, version := range of.Versions {
		switch {
		case version.Unserved:
		case len(version.Definitions) == 0:
			schemas[version.Name] = version.Schema
		default:
			schemas[version.Name] = openapi.Inline(version.Schema, version.Definitions)
		}
	}
	return func(version string) *spec.Schema { return schemas[version] }
}
