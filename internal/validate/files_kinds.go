package validate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// kinds finds the backend of an object by its kind.
type kinds struct {
	engine    Engine
	reference ReferenceCompiler
	leftOut   string
	resources map[schema.GroupVersionKind]*resourceChecker
	unserved  map[schema.GroupVersionKind]bool
	applied   appliedKinds
	builtins  []builtinKinds
	published publishedKinds
}

// newKinds compiles the CustomResourceDefinitions of the options. The error is a
// strictyaml.Mistakes.
func newKinds(o *FilesOptions) (*kinds, error) {
	k := &kinds{
		engine:    o.Engine,
		reference: o.Reference,
		leftOut:   o.LeftOut,
		resources: map[schema.GroupVersionKind]*resourceChecker{},
		unserved:  map[schema.GroupVersionKind]bool{},
		applied:   newAppliedKinds(),
	}
	if o.Engine == Declarative {
		for _, builtin := range o.Builtins {
			k.builtins = append(k.builtins, newBuiltinKinds(builtin))
		}
	}
	var err error
	if k.published, err = newPublishedKinds(o); err != nil {
		return nil, err
	}
	files, err := o.findDefinitions()
	if err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	for _, file := range files {
		all, err := o.Finder.ReadFile(file)
		mistakes.Merge(file, err)
		for _, definition := range all {
			before := len(mistakes)
			for _, version := range definition.Versions {
				mistakes.Merge(file, k.add(version))
			}
			if len(mistakes) == before {
				o.warnUnstorable(file, definition)
			}
		}
	}
	return k, mistakes.Err()
}

func (k *kinds) add(v *definitions.Version) error {
	if !v.Served {
		k.unserved[v.GroupVersionKind] = true
		return nil
	}
	if first := k.resources[v.GroupVersionKind]; first != nil {
		return secondSchema(v, first.version)
	}
	made, err := k.compile(v)
	if err != nil {
		return err
	}
	k.resources[v.GroupVersionKind] = made
	return nil
}

// compile compiles a version for objects as clients send them.
func (k *kinds) compile(v *definitions.Version) (*resourceChecker, error) {
	made, err := compiler{engine: k.engine, reference: k.reference, reading: reading{prune: true, defaults: true}}.version(v, rootRole)
	return &resourceChecker{compiled: made, version: v}, err
}

// check validates an object.
func (k *kinds) check(ctx context.Context, o fileObject, timeout time.Duration) fileOutcome {
	outcome := fileOutcome{fileObject: o}
	if o.passed != "" {
		return outcome
	}
	if outcome.fault = checkDocument(o.document); outcome.fault != nil {
		return outcome
	}
	version := versionOf(o.document.Object)
	backend := &foundBackend{name: string(k.engine), find: func() (harness.Backend, error) {
		if isDefinition(version) {
			return k.applied.definition(o)
		}
		return k.find(version)
	}}
	in := &harness.Input{
		Request: harness.Request{Version: version, Operation: admissionv1.Create},
		Object:  contract.NewView(o.document.Object),
	}
	answer := harness.Ask(ctx, backend, in, timeout)
	if answer.Fault != nil {
		outcome.fault, outcome.missing = answer.Fault, errors.Is(answer.Fault, errNoSchema)
		return outcome
	}
	outcome.errors = answer.Errors
	return outcome
}

// find returns the backend of a version.
func (k *kinds) find(version schema.GroupVersionKind) (harness.Backend, error) {
	if found := k.resources[version]; found != nil {
		return found, nil
	}
	if find := k.applied.kinds[version]; find != nil {
		return find()
	}
	if k.unserved[version] {
		return nil, fmt.Errorf("%s is not served according to its CustomResourceDefinition", apiname.Target(version))
	}
	for _, builtin := range k.builtins {
		found, err := builtin.find(version)
		if found != nil || err != nil {
			return found, err
		}
	}
	if find := k.published[version]; find != nil {
		return find()
	}
	return nil, k.missing(version)
}

// fewKinds is the number of kinds that a message lists.
const fewKinds = 12

// builtinNames lists the kinds that need no CustomResourceDefinition, or says where they are listed. It is ""
// if there are none.
func (k *kinds) builtinNames() string {
	var names []string
	for _, builtin := range k.builtins {
		for _, kind := range builtin.Kinds {
			names = append(names, kind.String())
		}
	}
	if len(names) > fewKinds {
		return "many kinds of Kubernetes; docs/reference/kinds.md lists them"
	}
	return strings.Join(names, ", ")
}

// versionOf returns the apiVersion and kind of an object. Missing or malformed parts are empty.
func versionOf(object any) schema.GroupVersionKind {
	document, _ := object.(map[string]any)
	return apiname.Written(document)
}

// foundBackend is a backend that is found in Validate, so that the caller's guard against panics and hangs
// covers the compiler.
type foundBackend struct {
	name string
	find func() (harness.Backend, error)
}

// Name returns the name of the engine.
func (b *foundBackend) Name() string { return b.name }

// Validate returns an error if the schema cannot be found or compiled.
func (b *foundBackend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	found, err := b.find()
	if err != nil {
		return nil, err
	}
	return found.Validate(ctx, in)
}
