package apiresource

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/backends/declarative/internal/walk"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/stages"
)

// Options describe a version of a resource apart from its schema.
type Options struct {
	// Kind is what objects must be.
	Kind schema.GroupVersionKind
	// Namespaced reports whether objects are in namespaces.
	Namespaced bool
	// NativeTypes is that of the Resource.
	NativeTypes bool
	// Subresources are those of the version.
	Subresources subresource.Subresources
	// Metadata selects whether type and metadata are validated.
	Metadata Metadata
	// Schema has the options for compiling the schema. Root and Semantics are set by Compile: the
	// schema is that of a resource, and errors look like those of the API server unless NativeTypes is set.
	Schema declarative.Options
	// versions are the schemas of all versions of the resource.
	versions []declared.Schema
}

// Validator validates requests to a resource and its subresources. It may be used by
// several goroutines at once.
type Validator struct {
	opts   Options
	schema *spec.Schema
	main   *declarative.Validator
	status *declarative.Validator // values of the status; nil: there is no such subresource
	// whole returns a validator of everything except values: embedded resources, lists of unique
	// items and rules. Without a status it is compiled on first use.
	whole func() (*declarative.Validator, error)

	hasRules bool

	// locating returns a validator of the same schema that knows where its errors are declared.
	locating func() (*Validator, error)
}

// Compile compiles the schema of a resource with its subresources. The error is a
// *declarative.SchemaError.
func Compile(schema *spec.Schema, opts Options) (*Validator, error) {
	opts.Schema.Root, opts.Schema.Semantics = true, declarative.CustomResources
	if opts.NativeTypes {
		opts.Schema.Semantics = declarative.NativeTypes
	}
	main, err := declarative.Compile(schema, opts.Schema)
	if err != nil {
		return nil, err
	}
	whole := structure(schema)
	inner := opts.Schema
	inner.WithoutEstimation = true // the schema as a whole was estimated
	inner.WithoutBlocking = true
	inner.Coverage = opts.Schema.Coverage.Part("", func(keyword string) bool { return !ofValues(keyword) })
	v := &Validator{opts: opts, schema: schema, main: main, hasRules: hasRules(whole)}
	v.whole = sync.OnceValues(func() (*declarative.Validator, error) { return declarative.Compile(whole, inner) })
	v.locating = sync.OnceValues(func() (*Validator, error) { return v.Covered(&tally.Coverage{}) })
	if !opts.Subresources.Status {
		return v, nil
	}
	if _, err := v.whole(); err != nil {
		return nil, fmt.Errorf("the schema without its value validations: %w", err)
	}
	inner.Root = false
	inner.Coverage = opts.Schema.Coverage.Part("status", ofValues)
	status := valuesOnly(subresource.Project(schema, "status"))
	if v.status, err = declarative.Compile(status, inner); err != nil {
		return nil, fmt.Errorf("the schema of the status: %w", err)
	}
	return v, nil
}

// WithoutRatcheting returns a validator of the same schema that also reports errors of an update at
// unchanged values.
func (v *Validator) WithoutRatcheting() *Validator {
	without := *v
	without.main = v.main.WithoutRatcheting()
	if v.status != nil {
		without.status = v.status.WithoutRatcheting()
	}
	without.whole = func() (*declarative.Validator, error) {
		whole, err := v.whole()
		if err != nil {
			return nil, err
		}
		return whole.WithoutRatcheting(), nil
	}
	return &without
}

// Validate validates a create of the resource, or an update if old is not nil. Errors are
// in canonical order (fielderror.Canonical).
func (v *Validator) Validate(ctx context.Context, object, old map[string]any) field.ErrorList {
	outside, wrongType := v.outside(object, old)
	if wrongType {
		rest := withoutValues(v.inWhole(ctx, object, old))
		outside = append(outside, withoutOrigin(rest, openapi.XValidations)...)
		return v.withRules(outside, rest)
	}
	if scale := v.opts.Subresources.Scale; scale != nil {
		outside = append(outside, scale.Validate(object, v.opts.Subresources.Conformance)...)
	}
	errs := v.main.Validate(ctx, value.NewValueInterface(object), view(old))
	if len(outside) == 0 {
		return errs
	}
	if slices.ContainsFunc(outside, walk.BlocksRules) && !slices.ContainsFunc(errs, walk.IsRulesNotChecked) && v.hasRules {
		errs = append(withoutOrigin(errs, openapi.XValidations), walk.RulesNotChecked())
	}
	return fielderror.Canonical(append(outside, errs...))
}

// ValidateStatus validates an update of the status, for resources that have one. The
// object comes from subresource.UpdateStatus. Values are validated in the status alone;
// lists of unique items and rules in the whole object.
func (v *Validator) ValidateStatus(ctx context.Context, object, old map[string]any) field.ErrorList {
	errs, wrongType := v.outside(object, old)
	if !wrongType {
		errs = append(errs, v.inStatus(ctx, object, old)...)
	}
	whole := v.inWhole(ctx, object, old)
	errs = append(errs, withOrigin(whole, openapi.XListType)...)
	return v.withRules(errs, whole)
}

// inStatus returns the errors of the values of the status, and of the scale in it.
func (v *Validator) inStatus(ctx context.Context, object, old map[string]any) field.ErrorList {
	var errs field.ErrorList
	if status, has := object["status"]; has {
		for _, err := range v.status.Validate(ctx, value.NewValueInterface(status), value.NewValueInterface(old["status"])) {
			if err.Origin != openapi.XListType {
				moved := movedToStatus(err)
				tally.LocatedBy(ctx).Moved(err, moved)
				errs = append(errs, moved)
			}
		}
	}
	if scale := v.opts.Subresources.Scale; scale != nil {
		errs = append(errs, scale.ValidateStatus(object, v.opts.Subresources.Conformance)...)
	}
	return errs
}

// inWhole returns the errors of the schema without its value validations.
func (v *Validator) inWhole(ctx context.Context, object, old map[string]any) field.ErrorList {
	whole, err := v.whole()
	if err != nil {
		panic(fmt.Sprintf("apiresource: a schema compiles, and not without its value validations: %v", err))
	}
	return whole.Validate(ctx, value.NewValueInterface(object), view(old))
}

// withRules adds the errors of rules in whole, unless other errors prevent rules from running, and
// sorts all.
func (v *Validator) withRules(errs, whole field.ErrorList) field.ErrorList {
	switch {
	case !slices.ContainsFunc(errs, walk.BlocksRules):
		errs = append(errs, withOrigin(whole, openapi.XValidations)...)
	case v.hasRules:
		errs = append(errs, walk.RulesNotChecked())
	}
	return fielderror.Canonical(errs)
}

// ValidateScale validates a request to the scale, for resources that have one. Without an
// old object, object is the resource whose scale is read. With an old object, object is
// the Scale that is written to it, or the resource that Scale.Write of package
// subresource made of both.
func (v *Validator) ValidateScale(ctx context.Context, object, old map[string]any) field.ErrorList {
	scale := v.opts.Subresources.Scale
	switch {
	case old == nil:
		_, errs := scale.Read(object, v.opts.Subresources.Conformance)
		return fielderror.Canonical(errs)
	case apiname.Written(object) != stages.ScaleKind:
		return v.Validate(ctx, object, old)
	}
	sent, err := stages.ReadScale(object)
	if err != nil {
		return field.ErrorList{field.Invalid(nil, field.OmitValueType{}, err.Error())}
	}
	if errs := stale(sent, old); len(errs) > 0 {
		return errs
	}
	written, errs := scale.Write(sent, old, v.opts.Subresources.Conformance)
	if len(errs) > 0 {
		return fielderror.Canonical(errs)
	}
	return v.Validate(ctx, written.Object, old)
}

// outside returns the errors that are not about the schema, and reports whether they are about the
// type: then values are not validated.
func (v *Validator) outside(object, old map[string]any) (errs field.ErrorList, wrongType bool) {
	if v.opts.Metadata == LeaveMetadata {
		return nil, false
	}
	if errs := v.typeMeta(object); len(errs) > 0 {
		return errs, true
	}
	return v.objectMeta(object, old), false
}

func view(old map[string]any) value.Value {
	if old == nil {
		return nil
	}
	return value.NewValueInterface(old)
}

// movedToStatus returns an error of the status with its path in the object. Errors without a field
// are about the whole status. An index follows a dot too, as in the API server, which takes the
// path of such an error for a name.
func movedToStatus(err *field.Error) *field.Error {
	moved := *err
	moved.Field = "status"
	if err.Field != "" && err.Field != "<nil>" {
		moved.Field += "." + err.Field
	}
	return &moved
}

func withOrigin(errs field.ErrorList, origin string) field.ErrorList {
	return slices.DeleteFunc(slices.Clone(errs), func(err *field.Error) bool { return err.Origin != origin })
}

func withoutOrigin(errs field.ErrorList, origin string) field.ErrorList {
	return slices.DeleteFunc(slices.Clone(errs), func(err *field.Error) bool { return err.Origin == origin })
}

// withoutValues removes the errors of the value validations that structure keeps: types and
// formats. A format error of a number has no field, and only values have a wrong type (metadata has
// formats too).
func withoutValues(errs field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(slices.Clone(errs), func(err *field.Error) bool {
		return err.Type == field.ErrorTypeTypeInvalid || strings.HasPrefix(err.Origin, "format") && err.Field == (*field.Path)(nil).String()
	})
}
