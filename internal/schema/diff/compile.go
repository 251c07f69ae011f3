package diff

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/proof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Source is the origin of a schema.
type Source uint8

const (
	// AnySchema is a schema of a built-in kind, or a single schema.
	AnySchema Source = iota
	// OfDefinition is the schema of a version of a CustomResourceDefinition.
	OfDefinition
	// OfPreserving is the same of a definition with spec.preserveUnknownFields: nothing is pruned.
	OfPreserving
)

// Compile makes a side of a schema. It accepts an object that has no unknown field and, after
// defaulting, no error. The error is that of declarative.Compile.
func Compile(schema *spec.Schema, definitions map[string]*spec.Schema, source Source) (Side, error) {
	if source == OfPreserving {
		schema, source = preserving(schema), OfDefinition
	}
	side := Side{Schema: schema, Definitions: definitions}
	if declared := proof.Resolve(schema, definitions).Properties; source == AnySchema && len(declared) > 0 {
		_, has := declared["metadata"]
		side.bare = !has
	}
	opts := declarative.Options{Definitions: definitions, Root: true, WithoutEstimation: true}
	placing, err := declarative.Compile(schema, opts)
	if err != nil {
		return side, err
	}
	validator := placing
	if source == OfDefinition {
		side.Schema = known(schema)
		opts.Semantics, side.semantics = declarative.CustomResources, declarative.CustomResources
		if validator, err = declarative.Compile(schema, opts); err != nil {
			return side, err
		}
	}
	pruner, err := pruning.Compile(schema, pruning.Options{Definitions: definitions, Root: true, Metadata: pruning.LeaveMetadata})
	if err != nil {
		return side, err
	}
	defaulter, err := defaulting.Compile(schema, defaulting.Options{Definitions: definitions, Zeros: zeros(source)})
	if err != nil {
		return side, err
	}
	c := compiled{pruner, defaulter, validator, placing}
	side.Validate = func(ctx context.Context, object map[string]any) []Rejection { return c.rejections(ctx, object, nil) }
	side.Update = func(ctx context.Context, object, old map[string]any) []Rejection {
		return c.rejections(ctx, object, value.NewValueInterface(c.stored(old)))
	}
	side.Stored = c.stored
	counting := sync.OnceValues(func() (*declarative.Validator, error) { return validator.Covered(&tally.Coverage{}) })
	side.failed = func(ctx context.Context, object map[string]any, declared []string) bool {
		counts, err := counting()
		return err == nil && c.failed(ctx, counts, object, declared)
	}
	return side, nil
}

// compiled is a schema that is ready to validate objects.
type compiled struct {
	pruner    *pruning.Pruner
	defaulter *defaulting.Defaulter
	validator *declarative.Validator
	placing   *declarative.Validator // its errors name fields where the other's do not
}

func (c compiled) stored(object map[string]any) map[string]any {
	object, _ = whole(object).(map[string]any)
	return c.defaulter.Default(c.pruner.Prune(object).Object)
}

// whole returns a value in which numbers without a fraction are integers, as after storing. Every
// rule would refuse an integer that a request writes as 3.0.
func whole(value any) any {
	switch value := value.(type) {
	case float64:
		if n := int64(value); float64(n) == value && n != math.MaxInt64 {
			return n
		}
	case map[string]any:
		made := make(map[string]any, len(value))
		for name, field := range value {
			made[name] = whole(field)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, item := range value {
			made[i] = whole(item)
		}
		return made
	}
	return value
}

// rejections returns what is wrong with an object, or with an update if there is an old object.
func (c compiled) rejections(ctx context.Context, object map[string]any, old value.Value) []Rejection {
	var rejections []Rejection
	object, _ = whole(object).(map[string]any)
	pruned := c.pruner.Prune(object)
	for _, path := range pruned.Dropped {
		rejections = append(rejections, Rejection{Field: path, Kind: unknownField, Text: path + ": " + unknownField})
	}
	defaulted := value.NewValueInterface(c.defaulter.Default(pruned.Object))
	errs := c.validator.Validate(ctx, defaulted, old)
	var placed field.ErrorList
	if len(errs) > 0 && c.validator != c.placing {
		placed = c.placing.Validate(ctx, defaulted, old)
	}
	for _, err := range errs {
		if len(errs) > 1 && isNotice(err) {
			continue
		}
		at := *err
		at.Field = fieldOf(err, placed)
		rejections = append(rejections, Rejection{Field: at.Field, Kind: string(at.Type), Origin: at.Origin, Text: plaintext.Error(&at)})
	}
	return rejections
}

// failed reports whether an object fails a keyword at one of some places, according to a validator
// that counts.
func (c compiled) failed(ctx context.Context, counting *declarative.Validator, object map[string]any, declared []string) bool {
	found := false
	ctx = tally.Watch(ctx, func(seen tally.Seen) {
		found = found || seen.Failed && slices.Contains(declared, seen.Declared)
	})
	counting.Validate(ctx, value.NewValueInterface(c.stored(object)), nil)
	return found
}

// unknownField is the kind of rejections of fields that the schema does not declare.
const unknownField = "unknown field"

// zeros returns what defaulting does with x-kubernetes-strip-zero, which the API server does not
// know.
func zeros(source Source) defaulting.Zeros {
	if source == OfDefinition {
		return defaulting.KeepZeros
	}
	return defaulting.StripZeros
}

// fieldOf returns the field of an error. For junctors and for numbers outside the range of their
// format, the API server writes no field; errors of native types have it.
func fieldOf(err *field.Error, placed field.ErrorList) string {
	if at := strings.TrimPrefix(err.Field, "<nil>"); at != "" {
		return at
	}
	for _, other := range placed {
		if other.Origin == err.Origin && err.Origin != "" {
			return other.Field
		}
	}
	return err.Field
}

// isNotice reports whether an error only says that rules were not checked because of other errors.
func isNotice(err *field.Error) bool {
	return err.Origin == openapi.XValidations && err.Field == "<nil>" && err.BadValue == nil
}

// preserving returns a schema that keeps the unknown fields of each of its objects.
func preserving(s *spec.Schema) *spec.Schema {
	out := openapi.MapParts(s, preserving)
	if len(s.Type) > 0 && s.Type[0] == "object" {
		out.Extensions = maps.Clone(s.Extensions)
		if out.Extensions == nil {
			out.Extensions = spec.Extensions{}
		}
		out.Extensions[openapi.XPreserveUnknownFields] = true
	}
	return out
}

// known returns a schema without the extensions that the API server drops.
func known(s *spec.Schema) *spec.Schema {
	out := openapi.MapParts(s, known)
	out.Extensions = spec.Extensions{}
	for name, value := range s.Extensions {
		switch name {
		case openapi.XUnions, openapi.XStripZero, openapi.XValidationErrors, "x-kubernetes-errors":
		default:
			out.Extensions[name] = value
		}
	}
	return out
}
