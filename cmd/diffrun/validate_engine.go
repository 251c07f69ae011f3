package main

import (
	"context"
	"errors"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/definitions"
)

// engine is what compiles schemas and validates with them.
type engine string

const (
	declarativeEngine engine = "declarative"
	referenceEngine   engine = "reference"
)

func engines() []engine { return []engine{declarativeEngine, referenceEngine} }

// compile compiles a schema that stands alone, or is taken for one.
//
// Neither engine refuses a rule by the estimate of its cost: the API server does
// so when it stores a CustomResourceDefinition, and validates with it in any case.
func (e engine) compile(schema *spec.Schema, root bool) (harness.Backend, error) {
	if e == referenceEngine {
		validator, err := reference.Compile(schema, reference.Options{Root: root})
		if err != nil {
			return nil, err
		}
		return reference.NewBackend(validator), nil
	}
	validator, err := declarative.Compile(schema, declarative.Options{
		Root:       root,
		Semantics:  declarative.CustomResources,
		Estimation: declarative.EstimationOff,
	})
	if err != nil {
		return nil, err
	}
	return declarative.Backend{Validator: validator}, nil
}

// compileVersion compiles a version of a resource; root false: as a schema that is
// not a resource's. The error is a strictyaml.Mistakes.
func (e engine) compileVersion(v *definitions.Version, root bool) (harness.Backend, error) {
	var backend harness.Backend
	var err error
	switch {
	case !root:
		backend, err = e.compile(v.Schema, root)
	case e == declarativeEngine:
		backend, err = compileResource(v)
	default:
		var validator *reference.Validator
		validator, err = reference.CompileResource(v.Of.CRD, v.Version, reference.Options{})
		backend = reference.NewBackend(validator)
	}
	if err != nil {
		return nil, v.Placed(err)
	}
	return backend, nil
}

// compileResource compiles a version as the API server serves it: type, metadata and
// subresources are validated, too.
func compileResource(v *definitions.Version) (harness.Backend, error) {
	resource, err := customresource.New(v.Of.CRD, []customresource.Version{{Name: v.Version, Schema: v.Schema}})
	if err != nil {
		return nil, err
	}
	opts := resource.Options(resource.Versions[0])
	opts.Schema.Estimation = declarative.EstimationOff
	validator, err := customresource.Compile(v.Schema, opts)
	if err != nil {
		return nil, err
	}
	return customresource.Backend{Validator: validator}, nil
}

// byRoot is one schema compiled both ways, each when it is first asked for: as
// that of a resource's root, and as any other.
type byRoot struct {
	root, inner func() (harness.Backend, error)
}

func newByRoot(compile func(root bool) (harness.Backend, error)) *byRoot {
	return &byRoot{
		root:  sync.OnceValues(func() (harness.Backend, error) { return compile(true) }),
		inner: sync.OnceValues(func() (harness.Backend, error) { return compile(false) }),
	}
}

// backend gives one of them; a line that does not say leaves it to the flag.
func (b *byRoot) backend(wanted *bool, otherwise bool) (harness.Backend, error) {
	if wanted != nil {
		otherwise = *wanted
	}
	if otherwise {
		return b.root()
	}
	return b.inner()
}

// foundBackend is a backend that is found, and perhaps compiled, when it is asked:
// then the guard of whoever asks also holds for a compiler that panics or hangs.
type foundBackend struct {
	name string
	find func() (harness.Backend, error)
}

// Name is that of the backend that will be found.
func (b foundBackend) Name() string { return b.name }

// Validate gives the error of finding it as a fault.
func (b foundBackend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	backend, err := b.find()
	if err != nil {
		return nil, err
	}
	return backend.Validate(ctx, in)
}

// onOneLine gives an error as one line, as the answer to a line has room for.
func onOneLine(err error) error {
	text := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
	return errors.New(text)
}
