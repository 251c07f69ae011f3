//go:build unix

package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/largeobject"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// sizes are the sizes of the objects, in bytes of JSON.
var sizes = []int{1 << 10, 50 << 10}

func nameOf(kind string, size int) string { return fmt.Sprintf("%s-%dKB", kind, size>>10) }

// BenchmarkSchema validates custom resources by their schemas without rules.
func BenchmarkSchema(b *testing.B) {
	eachObject(b, func(b *testing.B, d *definition, obj map[string]any) {
		bare := d.withoutRules(b)
		theirs := d.apiserver(b)
		plain := compileJSONSchema(b, bare)
		validator := d.compile(b, bare)
		v := value.NewValueInterface(obj)
		compare(b, func() { must(validator.Validate(context.Background(), v, nil)) },
			contender{"apiextensions", func() { must(validation.ValidateCustomResource(nil, obj, theirs.schema)) }},
			contender{"jsonschema", func() {
				if err := plain.Validate(any(obj)); err != nil {
					panic(err)
				}
			}},
			contender{"DeepCopyJSON", func() { runtime.DeepCopyJSON(obj) }},
		)
	})
}

// BenchmarkRules validates custom resources by their schemas and rules.
func BenchmarkRules(b *testing.B) {
	eachObject(b, func(b *testing.B, d *definition, obj map[string]any) {
		theirs := d.apiserver(b)
		if theirs.rules == nil {
			b.Skip("no rules")
		}
		validator := d.compile(b, d.schema(b))
		v, ctx := value.NewValueInterface(obj), context.Background()
		compare(b, func() { must(validator.Validate(ctx, v, nil)) },
			contender{"apiextensions", func() {
				must(validation.ValidateCustomResource(nil, obj, theirs.schema))
				errs, _ := theirs.rules.Validate(ctx, nil, theirs.structural, obj, nil, celconfig.RuntimeCELCostBudget)
				must(errs)
			}},
		)
	})
}

// BenchmarkCompile compiles the schemas and rules of definitions.
func BenchmarkCompile(b *testing.B) {
	for _, file := range served.Definitions(b) {
		d := read(b, file)
		b.Run(d.name, func(b *testing.B) {
			compare(b, func() { d.compile(b, d.schema(b)) }, contender{"apiextensions", func() { d.apiserver(b) }})
		})
	}
}

// BenchmarkPrune prunes custom resources that have nothing to prune.
func BenchmarkPrune(b *testing.B) {
	eachObject(b, func(b *testing.B, d *definition, obj map[string]any) {
		pruner, err := pruning.Compile(d.schema(b), pruning.Options{Root: true})
		if err != nil {
			b.Fatal(err)
		}
		compare(b, func() { pruner.Prune(obj) }, contender{"DeepCopyJSON", func() { runtime.DeepCopyJSON(obj) }})
	})
}

// BenchmarkDefault defaults custom resources that lack nothing.
func BenchmarkDefault(b *testing.B) {
	eachObject(b, func(b *testing.B, d *definition, obj map[string]any) {
		defaulter, err := defaulting.Compile(d.schema(b), defaulting.Options{})
		if err != nil {
			b.Fatal(err)
		}
		filled := defaulter.Default(runtime.DeepCopyJSON(obj))
		compare(b, func() { defaulter.Default(filled) }, contender{"DeepCopyJSON", func() { runtime.DeepCopyJSON(filled) }})
	})
}

// eachObject runs a benchmark for objects of all sizes of the real definitions.
func eachObject(b *testing.B, run func(b *testing.B, d *definition, obj map[string]any)) {
	for _, file := range served.Definitions(b) {
		d := read(b, file)
		for _, size := range sizes {
			b.Run(nameOf(d.name, size), func(b *testing.B) { run(b, d, d.object(b, size)) })
		}
	}
}

// definition is the stored version of a CustomResourceDefinition.
type definition struct {
	name    string
	crd     *apiextensionsv1.CustomResourceDefinition
	version *apiextensionsv1.CustomResourceDefinitionVersion
}

func read(b *testing.B, file string) *definition {
	crd := served.Definition(b, file)
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Storage })
	return &definition{strings.TrimSuffix(filepath.Base(file), ".yaml"), crd, &crd.Spec.Versions[i]}
}

func (d *definition) schema(b *testing.B) *spec.Schema {
	schema, err := openapi.FromProps(d.version.Schema.OpenAPIV3Schema)
	if err != nil {
		b.Fatal(err)
	}
	return schema
}

func (d *definition) withoutRules(b *testing.B) *spec.Schema {
	schema := d.schema(b)
	stripRules(schema)
	return schema
}

func (d *definition) compile(b *testing.B, schema *spec.Schema) *declarative.Validator {
	v, err := declarative.Compile(schema, declarative.Options{Root: true, Semantics: declarative.CustomResources})
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// object makes a valid object of a size.
func (d *definition) object(b *testing.B, size int) map[string]any {
	v := d.compile(b, d.schema(b))
	obj, err := largeobject.Grow(generate.Seeded(1), d.version.Schema.OpenAPIV3Schema, largeobject.Growth{
		Bytes: size,
		Valid: func(obj map[string]any) bool {
			return len(v.Validate(context.Background(), value.NewValueInterface(obj), nil)) == 0
		},
		Object: generate.ObjectOptions{APIVersion: d.crd.Spec.Group + "/" + d.version.Name, Kind: d.crd.Spec.Names.Kind},
	})
	if err != nil {
		b.Fatal(err)
	}
	return obj
}

// apiserver is what apiextensions-apiserver compiles for a version. rules is nil if it has none.
type apiserver struct {
	schema     validation.SchemaValidator
	structural *structuralschema.Structural
	rules      *cel.Validator
}

func (d *definition) apiserver(b *testing.B) apiserver {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(d.version.Schema.OpenAPIV3Schema,
		&internal, nil); err != nil {
		b.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		b.Fatal(err)
	}
	schema, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		b.Fatal(err)
	}
	return apiserver{schema, structural, cel.NewValidator(structural, true, celconfig.PerCallLimit)}
}

// stripRules removes the rules of a schema, in place.
func stripRules(s *spec.Schema) {
	if s == nil {
		return
	}
	delete(s.Extensions, "x-kubernetes-validations")
	for name, p := range s.Properties {
		stripRules(&p)
		s.Properties[name] = p
	}
	if s.Items != nil {
		stripRules(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		stripRules(s.AdditionalProperties.Schema)
	}
	stripRules(s.Not)
	for _, branches := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			stripRules(&branches[i])
		}
	}
}
