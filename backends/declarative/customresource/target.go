package customresource

import (
	"errors"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// definitionName is the file in the positions of mistakes.
const definitionName = "CustomResourceDefinition"

// NewTarget returns the target of the kind that a CustomResourceDefinition defines, for
// harness.For. The definition is YAML or JSON, and native is the validator of its webhook, wrapped
// by package native. Without versions the target has all served versions, in the order of the
// definition.
//
// Objects of cases are documents, or pointers to Go structs. As in the API server, they are pruned,
// defaulted, converted, and reduced to the fields that the subresource may set before both
// validators see them. The API server validates type and metadata itself, so neither side reports
// their errors (LeaveMetadata).
//
// The error has every mistake of the definition with its line. Package structural checks whether
// the API server would store the definition.
func NewTarget(definition []byte, native harness.Backend, versions ...string) (*harness.Target, error) {
	if native == nil {
		return nil, errors.New("the hand-written validator is missing: there is nothing to compare the schemas with")
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
		target.Versions = append(target.Versions, harness.Version{GroupVersionKind: v.GroupVersionKind, Resource: resource.Plural, Native: native, Declarative: backend})
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	target.Scheme, err = NewScheme(resource)
	return target, err
}

// BesideNative compiles version i for a comparison with a webhook. Type and metadata are
// not validated, because the API server validates them before it calls a webhook. The
// cost of rules is not estimated, because it only decides whether a definition can be
// stored. The error is that of Compile.
func (r Resource) BesideNative(i int) (Backend, error) {
	opts := r.Options(r.Versions[i])
	opts.Metadata, opts.Schema.WithoutEstimation = LeaveMetadata, true
	validator, err := Compile(r.Versions[i].Schema, opts)
	return Backend{validator}, err
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
