package structural

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/openapi"
)

// defaults checks that the defaults of a structural schema are pruned and valid, as
// k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting does (KEP-575,
// "Validation"). Defaults below additionalProperties of metadata are forbidden
// elsewhere, others below additionalProperties are not looked at.
type defaults struct {
	ctx  context.Context
	errs field.ErrorList
	// unpruned says that defaults may have unknown fields: an old definition's do.
	unpruned bool
}

// surroundings are what stands around a default in the metadata of a resource: they
// make an object of it that the metadata can be checked in.
type surroundings struct {
	insideMetadata bool
	wrap           func(any) map[string]any
}

func rootSurroundings() surroundings {
	return surroundings{wrap: func(v any) map[string]any {
		obj, ok := v.(map[string]any)
		if !ok {
			return map[string]any{}
		}
		out := maps.Clone(obj)
		for name, value := range map[string]any{"apiVersion": "validation/v1", "kind": "Validation"} {
			if _, found := out[name]; !found {
				out[name] = value
			}
		}
		return out
	}}
}

func (in surroundings) child(name string) surroundings {
	return surroundings{in.insideMetadata, func(v any) map[string]any { return in.wrap(map[string]any{name: v}) }}
}

func (in surroundings) item() surroundings {
	// An item of the root, which is an object, is none; the list takes its place.
	return surroundings{in.insideMetadata, func(v any) map[string]any { return in.wrap([]any{v}) }}
}

func (d *defaults) check(s *spec.Schema, in surroundings, isRoot bool, at *field.Path) {
	x, errs := openapi.ReadExtensions(s, at)
	if len(errs) > 0 {
		d.errs = append(d.errs, errs...)
		return
	}
	if isRoot && !x.EmbeddedResource {
		// The API server takes the root for an embedded resource, so that a default of it
		// needs an apiVersion and a kind.
		s, x.EmbeddedResource = asEmbedded(s), true
	}
	if x.EmbeddedResource {
		in = rootSurroundings()
	}
	if s.Default != nil {
		d.one(s, x, in, at.Child("default"))
	}
	if s.Items != nil && s.Items.Schema != nil {
		d.check(s.Items.Schema, in.item(), false, at.Child("items"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		inside := in.child(name)
		if x.EmbeddedResource && (name == "metadata" || name == "apiVersion" || name == "kind") {
			inside.insideMetadata = true
		}
		d.check(&property, inside, false, at.Child("properties").Key(name))
	}
}

func asEmbedded(s *spec.Schema) *spec.Schema {
	embedded := *s
	embedded.Extensions = maps.Clone(s.Extensions)
	embedded.AddExtension("x-kubernetes-embedded-resource", true)
	return &embedded
}

// one checks one default: its metadata, then the schema, then the rules. It stops at the first
// stage with errors.
func (d *defaults) one(s *spec.Schema, x openapi.Extensions, in surroundings, at *field.Path) {
	v, err := openapi.JSON(s.Default)
	if err != nil {
		d.errs = append(d.errs, field.Invalid(at, s.Default, fmt.Sprintf("is not JSON: %v", err)))
		return
	}
	resource := x.EmbeddedResource
	ok := true
	if in.insideMetadata {
		ok = d.metadata(in.wrap(v), v, at)
	} else {
		if !d.unpruned {
			d.pruned(s, v, resource, at)
		}
		ok = d.coerced(s, v, resource, at)
	}
	if ok {
		d.valid(s, v, resource, at)
	}
}

// metadata checks a default inside of metadata in the resource around it.
func (d *defaults) metadata(obj map[string]any, v any, at *field.Path) bool {
	resource := &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}}}
	resource.AddExtension("x-kubernetes-embedded-resource", true)
	resource.AddExtension("x-kubernetes-preserve-unknown-fields", true)
	pruner, err := pruning.Compile(resource, pruning.Options{Root: true})
	if !d.possible(err, at) {
		return false
	}
	result := pruner.Prune(obj)
	errs := result.Errors
	if len(errs) == 0 {
		validator, err := declarative.Compile(resource, declarative.Options{Semantics: declarative.CustomResources})
		if !d.possible(err, at) {
			return false
		}
		errs = validator.Validate(d.ctx, value.NewValueInterface(result.Object), nil)
	}
	if len(errs) > 0 {
		d.errs = append(d.errs, field.Invalid(at, v, fmt.Sprintf("must result in valid metadata: %v", errs.ToAggregate())))
	}
	return len(errs) == 0
}

// pruned checks that a default has no fields that pruning would drop, metadata of
// embedded resources left out.
func (d *defaults) pruned(s *spec.Schema, v any, resource bool, at *field.Path) {
	pruner, err := pruning.Compile(s, pruning.Options{Root: resource, Nulls: pruning.KeepNulls, Metadata: pruning.LeaveMetadata})
	if !d.possible(err, at) {
		return
	}
	pruned, dropped, _ := pruner.PruneValue(v)
	if reflect.DeepEqual(pruned, v) {
		return
	}
	if len(dropped) == 0 {
		dropped = []string{"apiVersion, kind or metadata, because it is not a resource"} // dropped without a word
	}
	d.errs = append(d.errs, field.Invalid(at, v, "must not have unknown fields: "+strings.Join(dropped, ", ")))
}

// coerced checks that the metadata of embedded resources can be read.
func (d *defaults) coerced(s *spec.Schema, v any, resource bool, at *field.Path) bool {
	pruner, err := pruning.Compile(s, pruning.Options{Root: resource, Fields: pruning.PreserveUnknown})
	if !d.possible(err, at) {
		return false
	}
	_, _, errs := pruner.PruneValue(v)
	d.add(errs, at)
	return len(errs) == 0
}

// valid checks a default against its schema and, if that finds no error, against its rules.
func (d *defaults) valid(s *spec.Schema, v any, resource bool, at *field.Path) {
	opts := declarative.Options{
		Root: resource, Semantics: declarative.CustomResources, Ratcheting: declarative.RatchetingOff, Estimation: declarative.EstimationOff,
	}
	obj := value.NewValueInterface(v)
	bare, first := ofValues(*s), opts
	first.Root = false // what is embedded says so itself
	validator, err := declarative.Compile(&bare, first)
	if err != nil {
		// The schema itself is wrong, which is reported where it is.
		d.typed(s, obj, at)
		return
	}
	if errs := firstStage(validator.Validate(d.ctx, obj, nil)); len(errs) > 0 {
		d.add(errs, at)
		return
	}
	validator, err = declarative.Compile(s, opts)
	var mistakes *declarative.SchemaError
	if errors.As(err, &mistakes) {
		d.brokenRules(v, mistakes, at)
		return
	}
	if d.possible(err, at) {
		d.rules(validator, obj, at)
	}
}

// typed checks the type of a default whose schema does not compile. No value has a type that
// does not exist.
func (d *defaults) typed(s *spec.Schema, v value.Value, at *field.Path) {
	if typ := typeOf(s); typ != "" && !slices.Contains(types(), typ) {
		d.errs = append(d.errs, field.Invalid(at, v.Unstructured(), "must be of type "+typ))
		return
	}
	alone := &spec.Schema{SchemaProps: spec.SchemaProps{Type: s.Type, Nullable: s.Nullable}}
	if is, _ := s.Extensions.GetBool("x-kubernetes-int-or-string"); is {
		alone.AddExtension("x-kubernetes-int-or-string", true)
	}
	if validator, err := declarative.Compile(alone, declarative.Options{Semantics: declarative.CustomResources}); d.possible(err, at) {
		d.add(firstStage(validator.Validate(d.ctx, v, nil)), at)
	}
}

// rules runs the rules of a default: as an unchanged value and, if that passes, as a new value.
func (d *defaults) rules(validator *declarative.Validator, obj value.Value, at *field.Path) {
	for _, old := range []value.Value{obj, nil} {
		var errs field.ErrorList
		for _, e := range validator.Validate(d.ctx, obj, old) {
			if ofSchema(e) {
				return // rules did not run
			}
			if e.Origin == "x-kubernetes-validations" {
				errs = append(errs, e)
			}
		}
		if len(errs) > 0 {
			d.add(errs, at)
			return
		}
	}
}

// brokenRules reports a rule that does not compile as an error of the default too, as
// the API server has it, when the rule is the default's own. Others are reported where
// they stand.
func (d *defaults) brokenRules(v any, mistakes *declarative.SchemaError, at *field.Path) {
	for _, e := range mistakes.Errors {
		if part, ok := partOfRule(e.Field); ok && part == "rule" && e.Type == field.ErrorTypeInvalid && strings.HasPrefix(e.Field, "x-kubernetes-validations[") {
			d.errs = append(d.errs, field.Invalid(at, v, "rule compile error: "+e.Detail))
		}
	}
}

// ofValues is a schema with what the API server's first stage asks of defaults:
// nothing of rules and of the topology of lists and maps, and of int-or-string only
// where a junctor names the types.
func ofValues(s spec.Schema) spec.Schema { return partOfValues(s, false) }

// partOfValues is ofValues for a part, which may be below a junctor: there the structural
// form, in which the API server looks at defaults, has no additionalProperties: false.
func partOfValues(s spec.Schema, inJunctor bool) spec.Schema {
	s.Extensions = maps.Clone(s.Extensions)
	for _, name := range []string{
		"x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type", "x-kubernetes-int-or-string",
	} {
		delete(s.Extensions, name)
	}
	s.Properties = maps.Clone(s.Properties)
	for name, property := range s.Properties {
		s.Properties[name] = partOfValues(property, inJunctor)
	}
	if s.Items != nil {
		s.Items = &spec.SchemaOrArray{Schema: pointerOfValues(s.Items.Schema, inJunctor)}
	}
	switch {
	case s.AdditionalProperties == nil:
	case inJunctor && !declaresAdditional(&s):
		s.AdditionalProperties = nil
	default:
		s.AdditionalProperties = &spec.SchemaOrBool{Allows: s.AdditionalProperties.Allows, Schema: pointerOfValues(s.AdditionalProperties.Schema, inJunctor)}
	}
	for _, branches := range []*[]spec.Schema{&s.AllOf, &s.AnyOf, &s.OneOf} {
		*branches = slices.Clone(*branches)
		for i, branch := range *branches {
			(*branches)[i] = partOfValues(branch, true)
		}
	}
	s.Not = pointerOfValues(s.Not, true)
	return s
}

func pointerOfValues(s *spec.Schema, inJunctor bool) *spec.Schema {
	if s == nil {
		return nil
	}
	part := partOfValues(*s, inJunctor)
	return &part
}

// ofSchema says that an error is of the schema itself. The API server writes their
// paths behind a dot, those of items too ("default.[0]").
func ofSchema(e *field.Error) bool {
	switch e.Origin {
	case "", "x-kubernetes-list-type", "x-kubernetes-embedded-resource", "x-kubernetes-validations":
		return false
	}
	return true
}

// firstStage keeps the errors of embedded resources, or of the schema when there are
// none of these.
func firstStage(errs field.ErrorList) field.ErrorList {
	var embedded, schema field.ErrorList
	for _, e := range errs {
		if e.Origin == "x-kubernetes-embedded-resource" {
			embedded = append(embedded, e)
		} else {
			schema = append(schema, e)
		}
	}
	if len(embedded) > 0 {
		return embedded
	}
	return schema
}

// add adds errors whose fields begin at the default.
func (d *defaults) add(errs field.ErrorList, at *field.Path) {
	for _, e := range errs {
		moved := *e
		switch {
		case e.Field == "" || e.Field == "<nil>":
			moved.Field = at.String()
		case strings.HasPrefix(e.Field, "[") && !ofSchema(e):
			moved.Field = at.String() + e.Field
		default:
			moved.Field = at.String() + "." + e.Field
		}
		d.errs = append(d.errs, &moved)
	}
}

// possible reports a default that cannot be checked at all.
func (d *defaults) possible(err error, at *field.Path) bool {
	if err != nil {
		d.errs = append(d.errs, field.InternalError(at, err))
	}
	return err == nil
}
