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

// of returns a backend for the values of the role.
func (r role) of(backend harness.Backend) harness.Backend {
	if r == rootRole {
		return naming{backend}
	}
	return backend
}

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
	made := &compiled{}
	if c.engine == Reference {
		if as == statusRole {
			return nil, errors.New("a schema alone has no status for the reference backend; name a CustomResourceDefinition with --crd")
		}
		validator, err := c.reference.Schema(schema, ReferenceOptions{Root: as == rootRole})
		if err != nil {
			return nil, err
		}
		made.Backend = as.of(validator)
		if c.any() {
			preparing, err := c.reference.Schema(schema, ReferenceOptions{Root: as == rootRole, Prune: c.prune, Default: c.defaults})
			made.reader = upstreamReader{preparing, c.prune}
			return made, err
		}
		return made, nil
	}
	var err error
	if as == statusRole {
		made.Backend, err = c.status(schema)
	} else if made.Backend, err = c.own(schema, as == rootRole); err == nil {
		made.Backend = as.of(made.Backend)
	}
	if err == nil && c.any() {
		made.reader, err = newOwnReader(schema, as != innerRole, c.reading)
	}
	return made, err
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
	of, err := apiresource.New(v.Of.CRD, []apiresource.Version{{Name: v.Version, Schema: v.Schema}})
	if err != nil {
		return nil, err
	}
	of.KEPs = c.keps
	made := &compiled{resource: &resource{v.GroupKind(), of.Preparation(of.Versions[0])}}
	if c.engine == Declarative {
		if made.Backend, err = served(of); err == nil && c.any() {
			made.reader, err = newOwnReader(v.Schema, true, c.reading)
		}
		return made, err
	}
	validator, err := c.reference.Resource(v.Of.CRD, v.Version, ReferenceOptions{})
	if err != nil {
		return nil, err
	}
	made.Backend = validator
	if c.any() {
		preparing, err := c.reference.Resource(v.Of.CRD, v.Version, ReferenceOptions{Prune: c.prune, Default: c.defaults})
		made.reader = upstreamReader{preparing, c.prune}
		return made, err
	}
	return made, nil
}

// served compiles the only version of a resource as the API server serves it, with validation of type,
// metadata and subresources.
func served(of apiresource.Resource) (harness.Backend, error) {
	opts := of.Options(of.Versions[0])
	opts.Schema.WithoutEstimation = true
	validator, err := apiresource.Compile(of.Versions[0].Schema, opts)
	if err != nil {
		return nil, err
	}
	return apiresource.Backend{Validator: validator}, nil
}
