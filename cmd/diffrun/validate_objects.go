package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// strictOrigin marks what the API server refuses before it validates: a field that
// the kind does not have, or a value that its Go type cannot hold. Such an error
// has no type, only a text.
const strictOrigin = "strict"

func unknownField(path string) *field.Error {
	return &field.Error{Type: field.ErrorTypeForbidden, Field: path, BadValue: field.OmitValueType{}, Detail: "unknown field", Origin: strictOrigin}
}

// objectCheckers find what validates an object by its kind.
type objectCheckers struct {
	engine    string
	resources map[schema.GroupVersionKind]*resourceChecker
	unserved  map[schema.GroupVersionKind]bool
	builtins  []builtinKinds
}

// newObjectCheckers compiles the resources of --crd. The error is a
// strictyaml.Mistakes.
func (p *program) newObjectCheckers(flags validateFlags) (*objectCheckers, error) {
	c := &objectCheckers{engine: flags.backend, resources: map[schema.GroupVersionKind]*resourceChecker{}, unserved: map[schema.GroupVersionKind]bool{}}
	if engine(flags.backend) == declarativeEngine {
		for _, name := range slices.Sorted(maps.Keys(p.builtins)) {
			if builtin := p.builtins[name]; builtin.Natives != nil && builtin.Declaratives != nil {
				c.builtins = append(c.builtins, newBuiltinKinds(builtin))
			}
		}
	}
	files, err := p.findDefinitions(flags.crds)
	if err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	for _, file := range files {
		all, err := definitions.ReadFile(file)
		mistakes.Merge(file, err)
		for _, definition := range all {
			before := len(mistakes)
			for _, version := range definition.Versions {
				mistakes.Merge(file, c.add(version, engine(flags.backend)))
			}
			if len(mistakes) == before {
				p.warnUnstorable(file, definition)
			}
		}
	}
	return c, mistakes.Err()
}

// warnUnstorable says that the API server would not store a schema: it has a default of
// the wrong type, say, which objects would be blamed for. What rules may cost at worst is
// no matter of single objects.
func (p *program) warnUnstorable(file string, d *definitions.Definition) {
	errs, err := structural.CheckCRD(context.Background(), d.CRD)
	if err != nil {
		return // compiling the schema says it
	}
	errs = slices.DeleteFunc(errs, func(e *field.Error) bool {
		return !strings.Contains(d.Path(e.Field), ".openAPIV3Schema.") || e.Type == field.ErrorTypeForbidden && strings.Contains(e.Detail, "estimated")
	})
	if len(errs) == 0 {
		return
	}
	more := ""
	if len(errs) > 1 {
		more = fmt.Sprintf("; diffrun schema check %s has %d more", file, len(errs)-1)
	}
	p.warn("diffrun: warning: %s: the API server would not store this schema: %s%s\n", d.At(d.Path(errs[0].Field)), saidOf(errs[0]), more)
}

func (c *objectCheckers) add(v *definitions.Version, e engine) error {
	if !v.Served {
		c.unserved[v.GroupVersionKind] = true
		return nil
	}
	if first := c.resources[v.GroupVersionKind]; first != nil {
		return secondSchema(v, first.version)
	}
	made, err := compiler{e, preparation{prune: true, defaults: true}}.version(v, rootRole)
	if err != nil {
		return err
	}
	c.resources[v.GroupVersionKind] = &resourceChecker{
		compiled:   made,
		version:    v,
		namespaced: v.Of.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped,
	}
	return nil
}

// check validates an object.
func (c *objectCheckers) check(ctx context.Context, o fileObject, timeout time.Duration) fileOutcome {
	outcome := fileOutcome{fileObject: o}
	if o.passed {
		return outcome
	}
	if outcome.fault = readable(o.document); outcome.fault != nil {
		return outcome
	}
	version := versionOf(o.document.Object)
	backend := &foundBackend{name: c.engine, find: func() (*compiled, error) {
		found, err := c.find(version)
		return &compiled{Backend: found}, err
	}}
	in := &harness.Input{
		Request: harness.Request{Version: version, Operation: harness.Create},
		Object:  harness.NewView(o.document.Object),
	}
	answer := harness.Ask(ctx, backend, in, timeout)
	if answer.Fault != nil {
		outcome.fault, outcome.missing = answer.Fault, errors.Is(answer.Fault, errNoSchema)
		return outcome
	}
	outcome.errors = answer.Errors
	return outcome
}

// readable says why a document is no object that could be validated.
func readable(document documents.Document) error {
	switch {
	case document.Err != nil:
		return document.Err
	case document.Object == nil:
		return errors.New("no object but null")
	}
	if wrong := wrongType(document.Object); wrong != "" {
		return errors.New("no object of Kubernetes: " + wrong)
	}
	if err := documents.CheckBounds(document.Object); err != nil {
		return fmt.Errorf("the object %w", err)
	}
	return nil
}

// find gives what validates a version.
func (c *objectCheckers) find(version schema.GroupVersionKind) (harness.Backend, error) {
	if found := c.resources[version]; found != nil {
		return found, nil
	}
	if c.unserved[version] {
		return nil, fmt.Errorf("%s is not served, says its CustomResourceDefinition", harness.TargetName(version))
	}
	for _, builtin := range c.builtins {
		found, err := builtin.find(version)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, c.missing(version)
}

// kinds lists the kinds that need no --crd; "" where there are none.
func (c *objectCheckers) kinds() string {
	var names []string
	for _, builtin := range c.builtins {
		for _, kind := range builtin.Natives.Kinds() {
			names = append(names, kind.String())
		}
	}
	return strings.Join(names, ", ")
}

// resourceChecker validates objects of a custom resource as the API server would
// have them. It implements harness.Backend.
type resourceChecker struct {
	*compiled
	version    *definitions.Version
	namespaced bool
}

// Validate also gives the fields that the schema does not have. What is of a wrong type
// in metadata hides nothing else, and nothing is missing at its place.
func (r *resourceChecker) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	made, errs, left, err := r.prepareFitting(object)
	if err != nil {
		return nil, err
	}
	for _, path := range made.dropped {
		errs = append(errs, unknownField(path))
	}
	if len(made.errs) > 0 {
		return append(errs, made.errs...), nil
	}
	prepared := made.value.(map[string]any) // what came in was one
	if r.namespaced {
		prepared = inNamespace(prepared)
	}
	found, err := r.Backend.Validate(ctx, &harness.Input{Request: in.Request, Object: harness.NewView(prepared)})
	found = slices.DeleteFunc(found, func(err *field.Error) bool { return isWithin(err.Field, left) })
	return append(errs, withoutGo(found)...), err
}

// prepareFitting prepares what can be read of an object, and says what is wrong with the
// rest, and which fields were left out for that.
func (r *resourceChecker) prepareFitting(object map[string]any) (made prepared, errs field.ErrorList, left []string, err error) {
	made, err = r.preparer.prepare(object)
	if err != nil || len(made.errs) == 0 {
		return made, nil, nil, err
	}
	object, errs = withoutMisfits(runtime.DeepCopyJSON(object))
	for _, misfit := range errs {
		left = append(left, misfit.Field)
	}
	for { // the reference names one embedded resource at a time
		made, err = r.preparer.prepare(object)
		if err != nil {
			return made, nil, nil, err
		}
		inside := withoutGo(made.errs)
		dropped := dropValues(object, inside)
		if len(dropped) == 0 {
			return made, errs, left, nil
		}
		errs, left = append(errs, inside...), append(left, dropped...)
	}
}

// inNamespace puts an object into a namespace, as kubectl does, where it says none.
func inNamespace(object map[string]any) map[string]any {
	metadata, isObject := object["metadata"].(map[string]any)
	if !isObject || metadata["namespace"] != nil && metadata["namespace"] != "" {
		return object
	}
	placed, metadata := maps.Clone(object), maps.Clone(metadata)
	metadata["namespace"] = "default"
	placed["metadata"] = metadata
	return placed
}
