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

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/jsonwords"
)

// Builtin is a set of kinds whose Go types and schemas are linked into the program.
type Builtin struct {
	// Kinds lists the kinds, for messages.
	Kinds []schema.GroupKind
	// Target gives the scheme and the versions of a kind; its backends are not used. The
	// error says that the kind is unknown.
	Target func(schema.GroupKind) (*harness.Target, error)
	// Namespaced says whether the objects of a kind are in namespaces; nil: none is.
	Namespaced func(schema.GroupKind) (bool, error)
	// Backend gives what validates a version.
	Backend func(schema.GroupVersionKind) (harness.Backend, error)
}

// builtinKinds prepares and validates the objects of built-in kinds. Their schemas are of
// defaulted objects, and only the Go types know their defaults, so objects go
// through the scheme of their kind first. Safe for use by several goroutines.
type builtinKinds struct {
	Builtin
	checkers *sync.Map // of schema.GroupVersionKind to func() (harness.Backend, error)
}

func newBuiltinKinds(builtin Builtin) builtinKinds {
	return builtinKinds{builtin, &sync.Map{}}
}

// find gives what validates a version; nil: it is not built in.
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
	if b.Namespaced != nil {
		if checker.namespaced, err = b.Namespaced(version.GroupKind()); err != nil {
			return nil, err
		}
	}
	checker.Backend, err = b.Backend(version)
	return checker, err
}

// builtinChecker validates objects of a built-in kind as the API server would
// have them. It implements harness.Backend.
type builtinChecker struct {
	harness.Backend
	scheme     harness.Scheme
	namespaced bool
}

// Validate also gives the fields that the kind does not have. Values of a wrong type
// are left out, so that the others are still validated; what is then missing at their
// place is not an error. Where the rest cannot be decoded either, it cannot be defaulted,
// and only the errors of its shape are given.
func (b *builtinChecker) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	document, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	document = runtime.DeepCopyJSON(document)
	if b.namespaced {
		document = inNamespace(document)
	}
	allocate(document, in.Version.GroupKind())
	object, errs, err := b.decode(document, in.Version)
	var dropped []string
	for _, find := range []func(context.Context, *harness.Input, map[string]any) (field.ErrorList, error){b.wrongTypes, b.unreadable} {
		if err == nil {
			break
		}
		found, fault := find(ctx, in, document)
		if fault != nil {
			return nil, errors.Join(err, fault)
		}
		errs = append(errs, found...)
		dropped = append(dropped, dropValues(document, found)...)
		var unknown field.ErrorList
		object, unknown, err = b.decode(document, in.Version)
		errs = append(errs, unknown...)
	}
	if err != nil {
		return append(errs, &field.Error{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: "cannot be decoded: " + err.Error(), Origin: strictOrigin}), nil
	}
	hub, _, err := b.scheme.Default(ctx, in.Request, object, nil)
	if err != nil {
		return nil, err
	}
	prepared, err := b.scheme.Convert(hub, in.Version)
	if err != nil {
		return nil, err
	}
	found, err := b.Backend.Validate(ctx, &harness.Input{Request: in.Request, Object: harness.NewView(prepared)})
	found = slices.DeleteFunc(found, func(err *field.Error) bool { return isWithin(err.Field, dropped) })
	return append(errs, found...), err
}

// decode reads a document, which it may change, and gives the unknown fields.
func (b *builtinChecker) decode(document map[string]any, version schema.GroupVersionKind) (object any, unknown field.ErrorList, err error) {
	for {
		object, err = b.scheme.Decode(document, version)
		strict, isStrict := runtime.AsStrictDecodingError(err)
		if !isStrict {
			return object, unknown, err
		}
		for _, one := range strict.Errors() {
			in, hasPath := one.(kjson.FieldError)
			if !hasPath || !dropField(document, in.FieldPath()) {
				return nil, unknown, one
			}
			unknown = append(unknown, unknownField(in.FieldPath()))
		}
	}
}

// wrongTypes gives the values that are of another type than the schema says. The API
// server reads null as nothing.
func (b *builtinChecker) wrongTypes(ctx context.Context, in *harness.Input, _ map[string]any) (field.ErrorList, error) {
	all, err := b.Backend.Validate(ctx, in)
	return slices.DeleteFunc(all, func(err *field.Error) bool {
		return err.Type != field.ErrorTypeTypeInvalid || err.BadValue == "null"
	}), err
}

// unreadable gives the values of a document that its Go type cannot hold, though they
// are of the type that the schema says: texts that are not quantities or times.
func (b *builtinChecker) unreadable(_ context.Context, in *harness.Input, document map[string]any) (field.ErrorList, error) {
	_, found := jsonwords.Decodable(nil, document, func(part any) error {
		object, _ := part.(map[string]any)
		whole := map[string]any{}
		maps.Copy(whole, runtime.DeepCopyJSON(object))
		whole["apiVersion"], whole["kind"] = in.Version.GroupVersion().String(), in.Version.Kind
		_, _, err := b.decode(whole, in.Version)
		return err
	})
	return strict(found), nil
}
