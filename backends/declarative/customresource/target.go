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
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
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
	made, err := apiresource.ReadVersions(definition, versions...)
	if err != nil {
		return nil, err
	}
	made = made.LeavingMetadata()
	target := serving.NewTarget(made)
	for i := range target.Versions {
		of := &target.Versions[i]
		if of.Declarative, err = made.Backend(of.Version); err != nil {
			return nil, err
		}
		of.Native = native
	}
	return target, nil
}
