package structural_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// readCRD reads a CustomResourceDefinition.
func readCRD(t testing.TB, text string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(text), crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// widgets is a CustomResourceDefinition with this schema.
func widgets(schemaYAML string) string {
	return fmt.Sprintf(`{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: `+
		`widgets, kind: Widget},
	  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: %s}}]}}`, schemaYAML)
}

// referenceCRD is the API server's validation of a new CustomResourceDefinition.
func referenceCRD(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
	t.Helper()
	v1 := crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(v1)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(v1, internal, nil); err != nil {
		t.Fatal(err)
	}
	return upstream.ValidateCustomResourceDefinition(t.Context(), internal)
}

// places returns errors by type and field, each once: these must be equal. Which rules are named when the
// total cost is too high is left out: of rules with equal costs the API server takes any (see TestDearRules).
func places(errs field.ErrorList) []string {
	all := []string{}
	for _, e := range errs {
		if !strings.HasPrefix(e.Detail, contributed) {
			all = append(all, fmt.Sprintf("%s %s", e.Type, e.Field))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

const contributed = "contributed to estimated rule cost total"

// checkCRD compares CheckCRD with the API server and returns the number of errors.
func checkCRD(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition) int {
	t.Helper()
	want := referenceCRD(t, crd)
	got, err := structural.CheckCRD(t.Context(), crd)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(places(want), places(got)); diff != "" {
		t.Errorf("API server against ours:\n%s\nAPI server:\n  %s\nours:\n  %s\n%s", diff,
			strings.Join(lines(want), "\n  "), strings.Join(lines(got), "\n  "), served.Text(crd.Spec.Versions))
	}
	return len(want)
}

func TestCRDSchemas(t *testing.T) {
	for _, tt := range crdSchemas {
		t.Run(tt.name, func(t *testing.T) {
			n := checkCRD(t, readCRD(t, widgets(tt.schema)))
			if n != 0 == tt.fine {
				t.Errorf("%s: the API server reports %d errors", tt.why, n)
			}
		})
	}
	for _, tt := range checks {
		if tt.native {
			continue
		}
		t.Run("structural: "+tt.name, func(t *testing.T) { checkCRD(t, readCRD(t, widgets(tt.schema))) })
	}
}

func TestCRDs(t *testing.T) {
	for _, tt := range crds {
		t.Run(tt.name, func(t *testing.T) {
			if checkCRD(t, readCRD(t, tt.crd)) == 0 {
				t.Errorf("%s: the API server reports no error", tt.why)
			}
		})
	}
}

// TestDearRules checks which rules are named when their total cost is too high: the four most expensive ones
// with a cost of at least a million.
func TestDearRules(t *testing.T) {
	const dear = `{rule: "self.all(x, self.exists(y, y == x))"}`
	list := func(items int, rules int) string {
		return fmt.Sprintf(`{type: array, maxItems: 4, items: {type: array, maxItems: 100, items: {type: array, maxItems: %d, `+
			`items: {type: string, maxLength: 10},
		  x-kubernetes-validations: [%s]}}}`, items, strings.Repeat(dear+", ", rules-1)+dear)
	}
	for _, tt := range []struct {
		name, why, schema string
		named             int
	}{
		{"many of equal cost", "four are named, whichever", `{type: object, properties: {a: ` + list(45, 16) + `}}`, 4},
		{"of different costs", "the dearest, in all of the schema",
			`{type: object, properties: {a: ` + list(45, 14) + `, b: ` + list(46, 1) + `, c: ` + list(47, 1) + `, d: ` + list(48, 1) +
				`, e: ` +
				list(49, 1) + `}}`, 4},
		{"two that are too expensive on their own", "they are errors themselves and named too",
			`{type: object, properties: {a: ` + list(400, 1) + `, b: ` + list(350, 1) + `}}`, 2},
		{"beside a different mistake", "what is not judged is not counted, all else is",
			`{type: object, properties: {a: ` + list(45, 16) + `, b: {type: array, items: {type: string}, uniqueItems: true, ` +
				`x-kubernetes-validations: [` + dear + `]}}}`, 4},
		{"a rule whose message is wrong", "its expression counts",
			`{type: object, properties: {a: ` + strings.ReplaceAll(list(400, 1), `y == x)"}`, `y == x)", messageExpression: "5"}`) + `}}`,
			1},
		{"many cheap ones", "none is named that adds less than a hundredth", `{type: object, properties: {a: ` + list(9, 900) + `}}`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			crd := readCRD(t, widgets(tt.schema))
			named := func(errs field.ErrorList) []string {
				all := []string{}
				for _, e := range errs {
					if strings.HasPrefix(e.Detail, contributed) {
						all = append(all, e.Field)
					}
				}
				return sortedCopy(all)
			}
			want := named(referenceCRD(t, crd))
			errs, err := structural.CheckCRD(t.Context(), crd)
			if err != nil {
				t.Fatal(err)
			}
			got := named(errs)
			if len(want) != tt.named || len(got) != tt.named {
				t.Errorf("%s: the API server names %d, we %d, want %d\n%v", tt.why, len(want), len(got), tt.named, errs)
			}
			if diff := cmp.Diff(want, got); diff != "" && !strings.HasPrefix(tt.why, "four are named") &&
				tt.name != "beside a different mistake" {
				t.Errorf("%s: %s", tt.why, diff)
			}
			if checkCRD(t, crd) == 0 {
				t.Error("the API server finds nothing")
			}
		})
	}
}

func TestRealCRDs(t *testing.T) {
	for _, file := range served.Definitions(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			crd := served.Definition(t, file)
			checkCRD(t, crd)
			if c := structural.Condition(crd); c != nil {
				t.Errorf("condition %v", c)
			}
		})
	}
}

var schemas = flag.Int("structural.schemas", 600, "generated schemas to hold against the API server's code")

func TestGeneratedSchemas(t *testing.T) {
	found := 0
	for seed := range uint64(*schemas) {
		src := generate.Seeded(seed)
		p := randomschema.Make(src, randomschema.Options{WithoutRules: seed%3 != 0 || seed%5 == 0, Unadmitted: seed%5 == 0})
		if seed%4 != 0 {
			spoil(src, p)
		}
		if !t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			checkReference(t, p)
			crd := readCRD(t, widgets(`{type: object}`))
			crd.Spec.Versions[0].Schema.OpenAPIV3Schema = p
			found += checkCRD(t, crd)
		}) {
			return
		}
	}
	if found < *schemas/2 {
		t.Errorf("only %d mistakes in %d schemas", found, *schemas)
	}
}

// mistakes are the changes that spoil makes to a schema.
func mistakes() []func(s *apiextensionsv1.JSONSchemaProps) {
	yes := true
	return []func(s *apiextensionsv1.JSONSchemaProps){
		func(s *apiextensionsv1.JSONSchemaProps) { s.Type = "" },
		func(s *apiextensionsv1.JSONSchemaProps) { s.Type = "text" },
		func(s *apiextensionsv1.JSONSchemaProps) { s.Nullable = true },
		func(s *apiextensionsv1.JSONSchemaProps) { s.Items = nil },
		func(s *apiextensionsv1.JSONSchemaProps) { s.UniqueItems = true },
		func(s *apiextensionsv1.JSONSchemaProps) { s.Pattern = "(" },
		func(s *apiextensionsv1.JSONSchemaProps) { s.XEmbeddedResource = true },
		func(s *apiextensionsv1.JSONSchemaProps) {
			// If a list or object is also an int-or-string, the API server cannot determine its parts for
			// rules.
			s.XIntOrString = s.Type != "array" && s.Type != "object"
		},
		func(s *apiextensionsv1.JSONSchemaProps) { s.XPreserveUnknownFields = &yes },
		func(s *apiextensionsv1.JSONSchemaProps) { s.XListType = new("set") },
		func(s *apiextensionsv1.JSONSchemaProps) { s.XListType = new("map") },
		func(s *apiextensionsv1.JSONSchemaProps) { s.XListMapKeys = []string{"name", "name"} },
		func(s *apiextensionsv1.JSONSchemaProps) { s.XMapType = new("loose") },
		func(s *apiextensionsv1.JSONSchemaProps) { s.XMapType = new("atomic") },
		func(s *apiextensionsv1.JSONSchemaProps) {
			s.Default = &apiextensionsv1.JSON{Raw: []byte(`{"unknown": {"x": 1}}`)}
		},
		func(s *apiextensionsv1.JSONSchemaProps) { s.Default = &apiextensionsv1.JSON{Raw: []byte(`-5`)} },
		func(s *apiextensionsv1.JSONSchemaProps) {
			s.Default = &apiextensionsv1.JSON{Raw: []byte(`["a", "a", null]`)}
		},
		func(s *apiextensionsv1.JSONSchemaProps) {
			s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true,
				Schema: &apiextensionsv1.JSONSchemaProps{Type: "string"}}
		},
		func(s *apiextensionsv1.JSONSchemaProps) {
			s.AnyOf = append(s.AnyOf, apiextensionsv1.JSONSchemaProps{
				Type:       "integer",
				Properties: map[string]apiextensionsv1.JSONSchemaProps{"other": {Minimum: new(1.0)}},
			})
		},
		func(s *apiextensionsv1.JSONSchemaProps) {
			s.Not = &apiextensionsv1.JSONSchemaProps{
				Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Title: "x"}},
			}
		},
		func(s *apiextensionsv1.JSONSchemaProps) {
			s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: "true", MessageExpression: "5"},
				apiextensionsv1.ValidationRule{Rule: " "}, apiextensionsv1.ValidationRule{Rule: "self ==", Message: "a\nb"})
		},
	}
}

// spoil makes mistakes in some places of a schema.
func spoil(src generate.Source, p *apiextensionsv1.JSONSchemaProps) {
	edits := mistakes()
	edit := func(s apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		if src.IntN(12) == 0 {
			edits[src.IntN(len(edits))](&s)
		}
		spoil(src, &s)
		return s
	}
	names := make([]string, 0, len(p.Properties))
	for name := range p.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p.Properties[name] = edit(p.Properties[name])
	}
	if p.Items != nil && p.Items.Schema != nil {
		items := edit(*p.Items.Schema)
		p.Items.Schema = &items
	}
	if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		values := edit(*p.AdditionalProperties.Schema)
		p.AdditionalProperties.Schema = &values
	}
	for i := range p.AllOf {
		p.AllOf[i] = edit(p.AllOf[i])
	}
}
