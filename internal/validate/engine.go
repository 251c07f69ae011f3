package validate

import (
	"errors"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/definitions"
)

// Engine is a validator that compiles schemas.
type Engine string

const (
	// Declarative is this project's validator.
	Declarative Engine = "declarative"
	// Reference is apiextensions-apiserver.
	Reference Engine = "reference"
)

// Engines lists the engines.
func Engines() []Engine { return []Engine{Declarative, Reference} }

// role is the kind of values that a schema validates.
type role uint8

const (
	// innerRole: any value.
	innerRole role = iota
	// rootRole: whole objects of a resource.
	rootRole
	// statusRole: whole objects of a resource, in an update of the status.
	statusRole
)

// compiler compiles schemas for an engine.
type compiler struct {
	engine    Engine
	reference ReferenceCompiler
	reading
	native bool // a schema without a definition is that of a native type, as in KEP-4153
}

// schema compiles a schema without a resource.
//
// Neither engine refuses rules because of their estimated cost. The API server does so only when it
// stores a new CustomResourceDefinition.
func (c compiler) schema(schema *spec.Schema, as role) (*compiled, error) {
	var made Stages
	var err error
	switch {
	case c.engine == Reference && as == statusRole:
		return nil, errors.New("a schema alone has no status for the reference backend; name a CustomResourceDefinition with --crd")
	case c.engine == Reference:
		made, err = c.reference.Schema(schema, ReferenceOptions{Root: as == rootRole, Prune: c.prune, Default: c.defaults})
	case as == statusRole:
		made, err = c.stages(c.status, schema, as)
	default:
		made, err = c.stages(func(schema *spec.Schema) (harness.Backend, error) { return c.own(schema, as == rootRole) }, schema, as)
	}
	if err != nil {
		return nil, err
	}
	return &compiled{Stages: made, names: as == rootRole}, nil
}

func (c compiler) own(schema *spec.Schema, root bool) (harness.Backend, error) {
	semantics := declarative.CustomResources
	if c.native {
		semantics = declarative.NativeTypes
	}
	validator, err := declarative.Compile(schema, declarative.Options{
		Root:              root,
		Definitions:       definitions.DefinitionsOf(schema),
		Semantics:         semantics,
		WithoutEstimation: true,
		Proposals:         c.keps.Proposals,
	})
	if err != nil {
		return nil, err
	}
	return declarative.Backend{Validator: validator}, nil
}

// status compiles a schema of a resource with a status, of which only the schema is known.
func (c compiler) status(schema *spec.Schema) (harness.Backend, error) {
	opts := apiresource.Options{Metadata: apiresource.LeaveMetadata, Subresources: subresource.Subresources{Status: true}}
	opts.Schema.WithoutEstimation, opts.Schema.Proposals = true, c.keps.Proposals
	opts.Schema.Definitions = definitions.DefinitionsOf(schema)
	validator, err := apiresource.Compile(schema, opts)
	if err != nil {
		return nil, err
	}
	return apiresource.Backend{Validator: validator}, nil
}

// version compiles a version of a resource, or for innerRole its schema alone. The error is a
// strictyaml.Mistakes.
func (c compiler) version(v *definitions.Version, as role) (*compiled, error) {
	made, err := c.resource(v, as)
	if err != nil {
		return nil, v.Placed(err)
	}
	return made, nil
}

func (c compiler) resource(v *definitions.Version, as role) (*compiled, error) {
	if as == innerRole {
		return c.schema(v.Schema, as)
	}
	c.keepUnknown = v.Of.CRD.Spec.PreserveUnknownFields
	of := apiresource.New(v.Of.CRD, apiresource.Version{Name: v.Version, Schema: v.Schema})
	of.KEPs = c.keps
	var made Stages
	var err error
	if c.engine == Declarative {
		made, err = c.stages(func(*spec.Schema) (harness.Backend, error) { return of.Compile(of.Versions[0]) }, v.Schema, as)
	} else {
		made, err = c.reference.Resource(v.Of.CRD, v.Version, ReferenceOptions{Prune: c.prune, Default: c.defaults})
	}
	if err != nil {
		return nil, err
	}
	return &compiled{Stages: made, resource: &resource{v.GroupKind(), of.Preparation(of.Versions[0])}}, nil
}
