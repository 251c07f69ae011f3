// Package customresource compares the schemas of a CustomResourceDefinition with a validator in Go. It treats
// objects as the API server does: they are pruned, defaulted, converted, and reduced to what a subresource
// takes.
//
// [NewTarget] is all that a test needs. It takes the definition, as YAML or JSON, and the Go validator of
// its webhook, and returns the target for harness.For:
//
//	target, err := customresource.NewTarget(crdYAML, native.Func[*Widget](validate))
//
// [ReadDefinition] is for package world, which puts admission around a definition. Package structural checks
// whether the API server would store the definition.
package customresource

import (
	"errors"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// NewTarget returns the target of the kind that a CustomResourceDefinition defines, for
// harness.For. The definition is YAML or JSON, and native is the validator of its webhook, wrapped
// by package native. Without versions the target has all served versions, in the order of the
// definition.
//
// Objects of cases are documents, or pointers to Go structs. As in the API server, they are pruned,
// defaulted, converted, and reduced to the fields that the subresource may set before both
// validators see them. The API server validates type and metadata itself, so neither side reports
// their errors.
//
// The error has every mistake of the definition with its line. Package structural checks whether
// the API server would store the definition.
func NewTarget(definition []byte, native harness.Backend, versions ...string) (*harness.Target, error) {
	if native == nil {
		return nil, errors.New("the hand-written validator is missing: there is nothing to compare the schemas with")
	}
	read, err := definitions.ReadOne(apiresource.DefinitionName, definition)
	if err != nil {
		return nil, err
	}
	picked, err := pick(read, versions)
	if err != nil {
		return nil, err
	}
	schemas := make([]apiresource.Version, len(picked))
	for i, v := range picked {
		schemas[i] = apiresource.Version{Name: v.Version, Schema: v.Schema}
	}
	resource, err := apiresource.New(read.CRD, schemas)
	if err != nil {
		return nil, read.Mistake("spec.versions", "%v", err)
	}
	target := &harness.Target{Kind: resource.Kind}
	var mistakes strictyaml.Mistakes
	for i, v := range picked {
		backend, err := resource.BesideNative(i)
		mistakes.Merge(apiresource.DefinitionName, v.Placed(err))
		target.Versions = append(target.Versions, harness.Version{GroupVersionKind: v.GroupVersionKind, Resource: resource.Plural, Native: native, Declarative: backend})
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	target.Scheme, err = apiresource.NewScheme(resource)
	return target, err
}

// pick returns the versions of these names, or every served one.
func pick(of *definitions.Definition, names []string) ([]*definitions.Version, error) {
	if len(names) == 0 {
		return of.Pick("")
	}
	var picked []*definitions.Version
	for _, name := range names {
		found, err := of.Pick(name)
		if err != nil {
			return nil, err
		}
		picked = append(picked, found...)
	}
	return picked, nil
}
