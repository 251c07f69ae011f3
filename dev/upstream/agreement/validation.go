package agreement

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/dev/upstream/capture"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Keywords whose errors are a separate stage.
const (
	rulesKeyword    = openapi.XValidations
	listsKeyword    = openapi.XListType
	embeddedKeyword = openapi.XEmbeddedResource
)

// notRun begins upstream's error for a rule that does not compile, when it is asked to run it.
const notRun = "rule compile"

// readSchema reads the schema of a call; without one, no fields are declared.
func readSchema(c *capture.Call) (*spec.Schema, error) {
	schema := &spec.Schema{}
	if len(c.Schema) == 0 || string(c.Schema) == "null" {
		return schema, nil
	}
	return schema, json.Unmarshal(c.Schema, schema)
}

// objects reads the object and the old object of a call; old is nil if there is none.
func objects(c *capture.Call) (object, old value.Value, err error) {
	v, err := readValue(c.Object)
	if err != nil {
		return nil, nil, err
	}
	object = value.NewValueInterface(v)
	if len(c.Old) > 0 {
		if v, err = readValue(c.Old); err != nil {
			return nil, nil, err
		}
		old = value.NewValueInterface(v)
	}
	return object, old, nil
}

// stageOptions returns the options for comparing a stage: the errors of other stages do not affect
// it.
func stageOptions(c *capture.Call) declarative.Options {
	opts := declarative.Options{
		Semantics: declarative.CustomResources, WithoutBlocking: true, WithoutEstimation: true,
	}
	if !c.Flag("ratcheting") {
		opts.WithoutRatcheting = true
	}
	return opts
}

// validate runs a call with this project's validator.
func validate(ctx context.Context, c *capture.Call, schema *spec.Schema, opts declarative.Options) (field.ErrorList, error) {
	object, old, err := objects(c)
	if err != nil {
		return nil, err
	}
	validator, err := declarative.Compile(schema, opts)
	if err != nil {
		return nil, err
	}
	return validator.Validate(ctx, object, old), nil
}

// judge makes an outcome of the results of validate. A schema that does not compile is refused; any
// other error comes from reading the call.
func judge(errs field.ErrorList, err error) (outcome, error) {
	var mistake *declarative.SchemaError
	if errors.As(err, &mistake) {
		return outcome{refused: true, note: mistake.Error()}, nil
	}
	return outcome{errs: ownErrors(errs)}, err
}

// only keeps the errors of some keywords, or drops them.
func only(errs field.ErrorList, keep bool, keywords ...string) field.ErrorList {
	return slices.DeleteFunc(slices.Clone(errs), func(e *field.Error) bool { return slices.Contains(keywords, e.Origin) != keep })
}

// schemaStage compares the value validations. Rules and embedded resources are not compiled; list
// types stay, because they correlate items.
func schemaStage(ctx context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	bare := without(schema, rulesKeyword, embeddedKeyword)
	errs, err := validate(ctx, c, bare, stageOptions(c))
	got, err := judge(only(errs, false, listsKeyword), err)
	return comparison{want: outcome{errs: captured(c)}, got: got}, err
}

// listStage compares lists of type set and map.
func listStage(ctx context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	bare := without(schema, rulesKeyword)
	errs, err := validate(ctx, c, bare, stageOptions(c))
	got, err := judge(only(errs, true, listsKeyword), err)
	return comparison{want: outcome{errs: captured(c)}, got: got}, err
}

// embeddedStage compares embedded resources. Their errors are those that disappear when the schema
// no longer declares any.
func embeddedStage(ctx context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	with := without(schema, rulesKeyword)
	if c.Flag("root") {
		with.AddExtension(embeddedKeyword, true)
	}
	bare := without(with, embeddedKeyword)
	all, err := validate(ctx, c, with, stageOptions(c))
	if err != nil {
		got, err := judge(nil, err)
		return comparison{want: outcome{errs: captured(c)}, got: got}, err
	}
	others, err := validate(ctx, c, bare, stageOptions(c))
	if err != nil {
		return comparison{}, err
	}
	for _, other := range others {
		if i := slices.IndexFunc(all, func(e *field.Error) bool { return e.Error() == other.Error() && e.Origin == other.Origin }); i >= 0 {
			all = slices.Delete(all, i, i+1)
		}
	}
	return comparison{want: outcome{errs: captured(c)}, got: outcome{errs: ownErrors(all)}}, nil
}

// ruleStage compares rules.
func ruleStage(ctx context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	opts := stageOptions(c)
	opts.Root = c.Flag("root")
	opts.Limits = limits(c)
	if c.Flag("cancelled") {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		ctx = ended
	}
	errs, err := validate(ctx, c, schema, opts)
	got, err := judge(only(errs, true, rulesKeyword), err)
	want := outcome{errs: captured(c)}
	want.refused = got.refused && uncompiled(want)
	return comparison{want: want, got: got}, err
}

// uncompiled reports whether all errors are of rules that do not compile.
func uncompiled(o outcome) bool {
	return len(o.errs) > 0 && !slices.ContainsFunc(o.errs, func(f failure) bool { return !strings.HasPrefix(f.detail, notRun) })
}

// limits returns the limits of a call. The lowest possible ones here are one unit for an
// evaluation, and an exhausted budget.
func limits(c *capture.Call) declarative.Limits {
	var l declarative.Limits
	if n, there := c.Number("limit"); there {
		l.PerCall = uint64(max(n, 1))
	}
	if n, there := c.Number("budget"); there {
		if l.PerObject = n; n <= 0 {
			l.PerObject = -1
		}
	}
	return l
}

// whole compares all stages, with the schema and the objects of a call. Upstream's stages run in
// the order of its request handler.
func whole(ctx context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	v, err := readValue(c.Object)
	if err != nil {
		return comparison{}, err
	}
	object, isObject := v.(map[string]any)
	if v, err = readValue(c.Old); err != nil {
		return comparison{}, err
	}
	old, oldIsObject := v.(map[string]any)
	if !isObject || (len(c.Old) > 0 && !oldIsObject) {
		return comparison{apart: "upstream has one way for all stages of objects alone"}, nil
	}
	if rulesInJunctors(schema, false) {
		return comparison{apart: "no CustomResourceDefinition has rules below junctors"}, nil
	}
	got, err := judge(validate(ctx, c, schema, wholeOptions(c)))
	if err != nil {
		return comparison{}, err
	}
	upstream, err := reference.Compile(schema, reference.Options{Root: c.Flag("root")})
	if err != nil {
		if _, isProps := asProps(schema); !isProps {
			return comparison{apart: "the schema cannot stand in a CustomResourceDefinition"}, nil
		}
		return comparison{want: outcome{refused: true, note: err.Error()}, got: got}, nil
	}
	return comparison{want: outcome{errs: ownErrors(upstream.Validate(ctx, object, old))}, got: got}, nil
}

// wholeOptions returns the options that `diffrun validate` uses for a schema without a definition.
func wholeOptions(c *capture.Call) declarative.Options {
	return declarative.Options{Root: c.Flag("root"), Semantics: declarative.CustomResources, WithoutEstimation: true}
}

// rulesInJunctors reports whether a schema has rules below allOf, anyOf, oneOf or not; in means
// that the schema itself is below one.
func rulesInJunctors(s *spec.Schema, in bool) bool {
	if _, has := s.Extensions[rulesKeyword]; has && in {
		return true
	}
	for child := range openapi.Children(s) {
		if (child.IsPart() || child.IsBranch()) && rulesInJunctors(child.Schema, in || child.IsBranch()) {
			return true
		}
	}
	return false
}

// asProps reports whether a schema is one of a CustomResourceDefinition.
func asProps(schema *spec.Schema) (*apiextensionsv1.JSONSchemaProps, bool) {
	data, err := schema.MarshalJSON()
	if err != nil {
		return nil, false
	}
	props := &apiextensionsv1.JSONSchemaProps{}
	return props, json.Unmarshal(data, props) == nil
}

// without returns a schema without some extensions at any level.
func without(s *spec.Schema, keywords ...string) *spec.Schema {
	less := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return without(child.Schema, keywords...) })
	less.Extensions = spec.Extensions{}
	for name, value := range s.Extensions {
		if !slices.Contains(keywords, name) {
			less.Extensions[name] = value
		}
	}
	return less
}
