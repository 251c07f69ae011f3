package reference

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// Options configures how a schema is compiled. The zero value validates objects as they are,
// against a schema that is not a resource's root.
type Options struct {
	// Root means that the schema is that of a resource's root: rules see apiVersion, kind and
	// metadata even if it does not declare them. CompileResource sets it.
	Root bool
	// Prune drops undeclared fields, and nulls that are neither allowed nor defaulted, before
	// validation. In metadata (with Root, also that of the object) it drops fields that
	// apimachinery does not know.
	Prune bool
	// Default fills in the schema's defaults before validation, after pruning.
	Default bool
}

// Validator validates objects against one schema. It never changes and may be used
// by many goroutines at once.
type Validator struct {
	opts       Options
	structural *structuralschema.Structural
	// preservesUnknown is spec.preserveUnknownFields of a CustomResourceDefinition:
	// only metadata is pruned.
	preservesUnknown bool
	main             strategy
	status           strategy // nil: there is no status subresource
}

// strategy is how the API server validates one kind of request.
type strategy interface {
	create(ctx context.Context, obj map[string]any) field.ErrorList
	update(ctx context.Context, obj, old map[string]any) field.ErrorList
}

// Compile compiles a schema of kube-openapi. The error lists what the API server does not know or
// could not serve, or the rules that do not compile.
func Compile(schema *spec.Schema, opts Options) (*Validator, error) {
	v1, err := props(schema)
	if err != nil {
		return nil, err
	}
	return CompileProps(v1, opts)
}

// CompileProps compiles a schema of a CustomResourceDefinition.
func CompileProps(schema *apiextensionsv1.JSONSchemaProps, opts Options) (*Validator, error) {
	if schema == nil {
		return nil, fmt.Errorf("no schema to compile")
	}
	both, err := newSchemas(schema)
	if err != nil {
		return nil, err
	}
	if err := brokenRules(both.structural, opts.Root); err != nil {
		return nil, err
	}
	return &Validator{opts: opts, structural: both.structural, main: newStages(both, opts.Root)}, nil
}

// Validate returns the errors of an object, a JSON value as k8s.io/apimachinery/pkg/util/json reads
// it (integers are int64), or, if old is not nil, of an update of old to it. Neither is changed.
// The errors are in canonical order (fielderror.Canonical).
func (v *Validator) Validate(ctx context.Context, obj, old map[string]any) field.ErrorList {
	return v.validate(ctx, v.main, obj, old)
}

func (v *Validator) validate(ctx context.Context, s strategy, obj, old map[string]any) field.ErrorList {
	obj, errs := v.Prepare(obj)
	if len(errs) > 0 {
		return errs
	}
	if old == nil {
		errs = s.create(ctx, obj)
	} else if old, errs = v.PrepareStored(old); len(errs) == 0 {
		errs = s.update(ctx, obj, old)
	}
	fielderror.Sort(errs)
	return errs
}
