package defaulting_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

func compile(t testing.TB, p *apiextensionsv1.JSONSchemaProps, opts defaulting.Options) *defaulting.Defaulter {
	t.Helper()
	d, err := defaulting.Compile(served.Converted(t, p), opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// checkServed compares Default with the API server's code on one object.
func checkServed(t *testing.T, p *apiextensionsv1.JSONSchemaProps, obj map[string]any) {
	t.Helper()
	before := runtime.DeepCopyJSON(obj)
	compiled := compile(t, p, defaulting.Options{})
	got := compiled.Default(obj)
	if diff := cmp.Diff(before, obj); diff != "" {
		t.Fatalf("the object that came in was changed:\n%s", diff)
	}
	if n := testing.AllocsPerRun(1, func() { compiled.Default(got) }); n != 0 {
		t.Errorf("%v allocations although nothing is missing: %s", n, served.Text(got))
	}
	want := runtime.DeepCopyJSON(obj)
	upstream.Default(want, served.Structural(t, p))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("API server against ours:\n%s\nobject %s\nschema %s", diff, served.Text(obj), served.Text(p))
	}
}

var pairs = flag.Int("defaulting.objects", 1500, "generated objects to hold against the API server's code")

func TestGeneratedAsTheAPIServer(t *testing.T) {
	changed := 0
	for seed := range uint64(*pairs) {
		src := generate.Seeded(seed)
		p := randomschema.Make(src, randomschema.Options{WithoutRules: true, Unadmitted: true})
		sprinkle(src, p)
		obj := generate.Object(src, p, generate.ObjectOptions{Faults: 3})
		if !t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { checkServed(t, p, obj) }) {
			return
		}
		if !cmp.Equal(obj, compile(t, p, defaulting.Options{}).Default(obj)) {
			changed++
		}
	}
	if changed < *pairs/4 {
		t.Errorf("only %d of %d objects lacked a default", changed, *pairs)
	}
}

// TestNumbersAsTheAPIServer: numbers in defaults keep the type and value in which they are written.
func TestNumbersAsTheAPIServer(t *testing.T) {
	for _, tt := range []struct{ why, schema, object, want string }{
		{"an integer that no float can hold", `{type: integer, default: 9007199254740993}`, `{}`, `{"a":9007199254740993}`},
		{"in a list", `{type: array, items: {type: number}, default: [9007199254740993, 0.5]}`, `{}`, `{"a":[9007199254740993,0.5]}`},
		{"for a null in a list", `{type: array, items: {type: integer, default: -9007199254740993}}`,
			`{a: [9007199254740992, null]}`, `{"a":[9007199254740992,-9007199254740993]}`},
		{"two objects deep, beside a default of its own", `{type: object, default: {b: {c: 9223372036854775807}}, properties: ` +
			`{b: {type: object, properties: {c: {type: integer}, d: {type: number, default: 9007199254740993}}}}}`, `{}`,
			`{"a":{"b":{"c":9223372036854775807,"d":9007199254740993}}}`},
		{"a whole float is written as an integer in YAML", `{type: number, default: 2.0}`, `{}`, `{"a":2}`},
	} {
		p := served.Props(t, "{type: object, properties: {a: "+tt.schema+"}}")
		obj := served.Object(t, tt.object)
		checkServed(t, p, obj)
		if got := served.Text(compile(t, p, defaulting.Options{}).Default(obj)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestRealCRDs defaults objects of CustomResourceDefinitions that are stored outside of the repository.
func TestRealCRDs(t *testing.T) {
	for _, name := range served.Definitions(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := served.Stored(t, name)
			for seed := range uint64(12) {
				checkServed(t, p, generate.Object(generate.Seeded(seed), p, generate.ObjectOptions{Faults: 6, Values: 120}))
			}
		})
	}
}

// sprinkle adds defaults of type object to a schema: the generator only makes scalar ones.
func sprinkle(src generate.Source, p *apiextensionsv1.JSONSchemaProps) {
	add := func(s apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		sprinkle(src, &s)
		if s.Default == nil && src.IntN(3) == 0 {
			value := any(map[string]any{})
			if s.Type == "array" {
				value = []any{map[string]any{}, nil}
			}
			s.Default = &apiextensionsv1.JSON{Raw: []byte(served.Text(value))}
		}
		return s
	}
	for _, name := range sorted(p.Properties) {
		p.Properties[name] = add(p.Properties[name])
	}
	if p.Items != nil && p.Items.Schema != nil {
		items := add(*p.Items.Schema)
		p.Items.Schema = &items
	}
	if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		values := add(*p.AdditionalProperties.Schema)
		p.AdditionalProperties.Schema = &values
	}
}
