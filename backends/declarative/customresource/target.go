package customresource

import (
	"errors"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// definitionName stands for the file in the places of mistakes.
const definitionName = "CustomResourceDefinition"

// NewTarget is the kind that a CustomResourceDefinition defines, with a hand-written
// validator beside the schema of each version: what a test gives to harness.For. The
// definition is YAML or JSON; without names all its served versions are there, in its
// order.
//
// Objects of cases are documents, or pointers to Go structs that are written as such. They
// are pruned, defaulted, converted and cut to what a subresource takes before either
// validator sees them, as in the API server, and type and metadata are left to that
// (LeaveMetadata). So the validator is one such as a webhook calls, wrapped by package
// native.
//
// The error has every mistake of the definition with its line; whether the API server
// would store it package structural says.
func NewTarget(definition []byte, native harness.Backend, versions ...string) (*harness.Target, error) {
	if native == nil {
		return nil, errors.New("there is no hand-written validator to compare the schemas with")
	}
	read, err := definitions.ReadOne(definitionName, definition)
	if err != nil {
		return nil, err
	}
	picked, err := pick(read, versions)
	if err != nil {
		return nil, err
	}
	schemas := make([]Version, len(picked))
	for i, v := range picked {
		schemas[i] = Version{Name: v.Version, Schema: v.Schema}
	}
	resource, err := New(read.CRD, schemas)
	if err != nil {
		return nil, read.Mistake("spec.versions", "%v", err)
	}
	target := &harness.Target{Kind: resource.Kind}
	var mistakes strictyaml.Mistakes
	for i, v := range picked {
		backend, err := resource.BesideNative(i)
		mistakes.Merge(definitionName, v.Placed(err))
		target.Versions = append(target.Versions, harness.Version{GroupVersionKind: v.GroupVersionKind, Native: native, Declarative: backend})
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	target.Scheme, err = NewScheme(resource)
	return target, err
}

// BesideNative compiles the i-th version for a comparison with what validates by hand.
// Type and metadata are left to the API server, which validates them before it asks any
// webhook. Costs of rules are not estimated: that decides whether a definition is stored,
// and not what it validates. The error is that of Compile.
func (r Resource) BesideNative(i int) (Backend, error) {
	opts := r.Options(r.Versions[i])
	opts.Metadata, opts.Schema.Estimation = LeaveMetadata, declarative.EstimationOff
	validator, err := Compile(r.Versions[i].Schema, opts)
	return Backend{validator}, err
}

// pick gives the versions of these names, or every served one.
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
