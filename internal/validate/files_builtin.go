package validate

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// Builtin is a set of kinds whose Go types and schemas are linked into the program.
type Builtin struct {
	// Kinds lists the kinds, for messages.
	Kinds []schema.GroupKind
	// Target returns the scheme and the versions of a kind, or an error if the kind is unknown. Its
	// backends are not used.
	Target func(schema.GroupKind) (*harness.Target, error)
	// Backend returns the backend of a version.
	Backend func(schema.GroupVersionKind) (harness.Backend, error)
}

// builtinKinds prepares and validates objects of built-in kinds. Their schemas expect defaulted objects,
// and only the Go types know the defaults, so the scheme of the kind decodes objects first. It is safe for
// concurrent use.
type builtinKinds struct {
	Builtin
	checkers *sync.Map // of schema.GroupVersionKind to func() (harness.Backend, error)
}

func newBuiltinKinds(builtin Builtin) builtinKinds {
	return builtinKinds{builtin, &sync.Map{}}
}

// find returns the backend of a version, or nil if it is not built in.
func (b builtinKinds) find(version schema.GroupVersionKind) (harness.Backend, error) {
	checker, _ := b.checkers.LoadOrStore(version, sync.OnceValues(func() (harness.Backend, error) { return b.bind(version) }))
	return checker.(func() (harness.Backend, error))()
}

func (b builtinKinds) bind(version schema.GroupVersionKind) (harness.Backend, error) {
	target, err := b.Target(version.GroupKind())
	if err != nil {
		return nil, nil // that there is no such kind is all that the error says
	}
	if !slices.ContainsFunc(target.Versions, func(v harness.Version) bool { return v.GroupVersionKind == version }) {
		return nil, nil
	}
	checker := &builtinChecker{scheme: target.Scheme}
	if resource, is := target.Scheme.(interface{ Describe() serving.Description }); is {
		checker.namespaced = resource.Describe().Namespaced
	}
	checker.Backend, err = b.Backend(version)
	return checker, err
}

// builtinChecker validates objects of a built-in kind as the API server would receive them. It implements
// harness.Backend.
type builtinChecker struct {
	harness.Backend
	scheme     harness.Scheme
	namespaced bool
}

// Validate also returns errors for unknown fields. A value of a wrong type is one error and hides no other.
// If the rest cannot be decoded either, it cannot be defaulted, and only the errors of its shape are
// returned.
func (b *builtinChecker) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	document, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	object, errs, err := b.read(document, in.Version)
	if err == nil {
		found, err := b.prepared(ctx, in, object)
		return append(errs, found...), err
	}
	wrong, fault := b.wrongValues(ctx, in, document)
	if fault != nil {
		return nil, errors.Join(err, fault)
	}
	left := withoutValues(document, wrong)
	if object, errs, err = b.read(left, in.Version); err != nil {
		return append(append(wrong, errs...), &field.Error{
			Type:     field.ErrorTypeInvalid,
			BadValue: field.OmitValueType{},
			Detail:   "cannot be decoded: " + err.Error(),
			Origin:   strictOrigin,
		}), nil
	}
	found, err := b.prepared(ctx, in, object)
	if err != nil {
		return nil, err
	}
	repaired := repair(document, wrong, func(document map[string]any) bool {
		_, _, err := b.read(document, in.Version)
		return err == nil
	})
	if object, _, err = b.read(repaired, in.Version); err == nil {
		if others, err := b.prepared(ctx, in, object); err == nil {
			found = inBoth(found, others)
		}
	}
	return append(append(wrong, errs...), apartFrom(wrong, found)...), nil
}

// prepared validates a decoded object.
func (b *builtinChecker) prepared(ctx context.Context, in *harness.Input, object any) (field.ErrorList, error) {
	hub, _, err := b.scheme.Default(ctx, in.Request, object, nil)
	if err != nil {
		return nil, err
	}
	prepared, err := b.scheme.Convert(hub, in.Version)
	if err != nil {
		return nil, err
	}
	return b.Backend.Validate(ctx, &harness.Input{Request: in.Request, Object: contract.NewView(prepared)})
}

// read decodes a document in the namespace that kubectl uses, and returns the unknown fields. It does not
// change the document.
func (b *builtinChecker) read(document map[string]any, version schema.GroupVersionKind) (object any, unknown field.ErrorList, err error) {
	document = runtime.DeepCopyJSON(document)
	document = inNamespace(document, b.namespaced)
	for {
		object, err = b.scheme.Decode(document, version)
		strict, isStrict := runtime.AsStrictDecodingError(err)
		if !isStrict {
			return object, unknown, err
		}
		for _, one := range strict.Errors() {
			in, hasPath := one.(kjson.FieldError)
			var known bool
			if hasPath {
				document, known = dropField(document, in.FieldPath())
			}
			if !known {
				return nil, unknown, one
			}
			unknown = append(unknown, unknownField(in.FieldPath()))
		}
	}
}

// wrongValues returns errors for the values that the Go type of the kind cannot represent, with the message
// of the schema if it has one. The schema alone is not enough: it does not accept numbers for quantities,
// which the API server does.
func (b *builtinChecker) wrongValues(ctx context.Context, in *harness.Input, document map[string]any) (field.ErrorList, error) {
	_, wrong := jsonerrors.Decodable(nil, document, func(part any) error {
		object, _ := part.(map[string]any)
		whole := maps.Clone(object)
		if whole == nil {
			whole = map[string]any{}
		}
		whole["apiVersion"], whole["kind"] = in.Version.GroupVersion().String(), in.Version.Kind
		_, _, err := b.read(whole, in.Version)
		return err
	})
	all, err := b.Backend.Validate(ctx, in)
	if err != nil {
		return nil, err
	}
	said := map[string]*field.Error{}
	for _, err := range all {
		if err.Type == field.ErrorTypeTypeInvalid {
			said[withoutBrackets(err.Field)] = err
		}
	}
	for i, err := range strict(wrong) {
		if inSchema := said[withoutBrackets(err.Field)]; inSchema != nil {
			wrong[i] = inSchema
		}
	}
	return wrong, nil
}
