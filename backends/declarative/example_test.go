package declarative_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// A schema is compiled once and then validates any number of objects.
func ExampleCompile() {
	var schema spec.Schema
	err := json.Unmarshal([]byte(`{
		"type": "object",
		"required": ["spec"],
		"properties": {"spec": {
			"type": "object",
			"properties": {
				"replicas": {"type": "integer", "minimum": 0},
				"minReady": {"type": "integer", "minimum": 0}
			},
			"x-kubernetes-validations": [
				{"rule": "!has(self.minReady) || self.minReady <= self.replicas", "message": "may not exceed replicas", `+
		`"fieldPath": ".minReady"}
			]
		}}
	}`), &schema)
	if err != nil {
		panic(err)
	}
	validator, err := declarative.Compile(&schema, declarative.Options{Root: true})
	if err != nil {
		panic(err)
	}
	object := value.NewValueInterface(map[string]any{
		"apiVersion": "example.com/v1", "kind": "Thing",
		"spec": map[string]any{"replicas": int64(-1), "minReady": int64(3)},
	})
	for _, e := range validator.Validate(context.Background(), object, nil) {
		fmt.Printf("%s (%s)\n", e, e.Origin)
	}
	// Output:
	// spec.minReady: Invalid value: may not exceed replicas (x-kubernetes-validations)
	// spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0 (minimum)
}

// Compiling a schema finds all its mistakes.
func ExampleSchemaError() {
	schema := new(spec.Schema).Typed("object", "").
		SetProperty("name", *spec.StringProperty().WithPattern("(")).
		SetProperty("owner", *spec.RefSchema("#/definitions/Owner"))
	_, err := declarative.Compile(schema, declarative.Options{})
	fmt.Println(err)
	// Output:
	// properties[name].pattern: Invalid value: "(": is not a regular expression: error parsing regexp: missing closing ): `(`
	// properties[owner].$ref: Invalid value: "#/definitions/Owner": there is no definition of this name
}

// A typed object is validated in place. On an update, errors at values that did
// not change are dropped.
func ExampleValidator_Validate() {
	container := spec.Schema{}
	if err := json.Unmarshal([]byte(`{"type": "object", "required": ["image"], "properties": {
		"name": {"type": "string", "format": "dns1123label"},
		"image": {"type": "string", "x-kubernetes-strip-zero": true}
	}}`), &container); err != nil {
		panic(err)
	}
	schema := spec.Schema{}
	if err := json.Unmarshal([]byte(`{"properties": {"spec": {"properties": {"template": {"properties": {"spec": {"properties": {
		"containers": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": `+
		`{"$ref": "#/definitions/Container"}}
	}}}}}}}}`), &schema); err != nil {
		panic(err)
	}
	validator, err := declarative.Compile(&schema, declarative.Options{Definitions: map[string]*spec.Schema{"Container": &container}})
	if err != nil {
		panic(err)
	}
	with := func(containers ...corev1.Container) value.Value {
		d := &appsv1.Deployment{}
		d.Spec.Template.Spec.Containers = containers
		v, err := value.NewValueReflect(d)
		if err != nil {
			panic(err)
		}
		return v
	}
	ctx := context.Background()
	old := with(corev1.Container{Name: "web"})
	fmt.Println(validator.Validate(ctx, old, nil).ToAggregate())
	update := with(corev1.Container{Name: "side", Image: "proxy"}, corev1.Container{Name: "web"})
	fmt.Println(validator.Validate(ctx, update, old).ToAggregate())
	// Output:
	// spec.template.spec.containers[0].image: Required value
	// <nil>
}

// A schema of a native type and one of a custom resource say the same with different errors, and know different
// formats. Limits bound what the rules of an object may cost.
func ExampleSemantics() {
	schema := spec.StringProperty().WithMaxLength(3)
	schema.Format = "dns1123label"
	for _, semantics := range []declarative.Semantics{declarative.NativeTypes, declarative.CustomResources} {
		validator, err := declarative.Compile(schema, declarative.Options{
			Semantics: semantics, Limits: declarative.Limits{PerObject: 1000},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		errs := validator.Validate(context.Background(), value.NewValueInterface("A.bc"), nil)
		fmt.Printf("%q %d\n", semantics.EffectiveFormat(schema), len(errs))
	}
	// Output:
	// "dns1123label" 2
	// "" 1
}

// The rules of a schema are reported with their cost, also those with mistakes.
func ExampleRules() {
	schema := new(spec.Schema).Typed("object", "").SetProperty("size", *spec.Int64Property())
	schema.AddExtension("x-kubernetes-validations", []any{
		map[string]any{"rule": "self.size < 10"},
		map[string]any{"rule": "self.sice < 10"},
	})
	reports, err := declarative.Rules(schema, declarative.Options{})
	var mistakes *declarative.SchemaError
	fmt.Println(errors.As(err, &mistakes))
	show := func(report declarative.RuleReport) {
		fmt.Println(report.At, report.Rule, report.Cost, len(report.Mistakes))
	}
	for _, report := range reports {
		show(report)
	}
	// Output:
	// true
	// x-kubernetes-validations[0] self.size < 10 3 0
	// x-kubernetes-validations[1] self.sice < 10 0 1
}
