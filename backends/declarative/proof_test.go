package declarative_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/generate"
)

// proves holds that what a proof is sure of is what the walk finds. It says whether
// the proof was sure.
func proves(t *testing.T, v *declarative.Validator, obj any, shown func() string) (fits, sure bool) {
	t.Helper()
	fits, sure = v.Proof(value.NewValueInterface(obj))
	if valid := v.Walked(value.NewValueInterface(obj)); sure && fits != valid {
		t.Errorf("the proof says that the object fits: %t, the walk: %t\n%s", fits, valid, shown())
	}
	return fits, sure
}

// TestProofOfGenerated holds proofs against the walk on generated schemas and objects,
// under both semantics. Zeros are stripped at every other schema of the second round.
func TestProofOfGenerated(t *testing.T) {
	const perSchema = 16
	var fitting, unfitting, unsure int
	for i := range uint64(*pairs) / perSchema * 2 {
		src := rand.New(rand.NewPCG(*seed, i))
		props := generate.Schema(src, generate.SchemaOptions{Unadmitted: i%2 == 1})
		s := converted(t, props)
		if i%4 == 3 {
			stripped(src, s)
		}
		v, err := declarative.Compile(s, declarative.Options{
			Semantics: declarative.Semantics(i % 3 % 2), Estimation: declarative.EstimationOff,
		})
		if err != nil {
			continue // what is no schema for us is another test's
		}
		for range perSchema {
			obj := generate.Object(src, props, generate.ObjectOptions{Faults: int(i % 5), Values: 40})
			odd(src, obj)
			fits, sure := proves(t, v, obj, func() string { return fmt.Sprintf("schema: %s\nobject: %#v", asJSON(t, s), obj) })
			switch {
			case !sure:
				unsure++
			case fits:
				fitting++
			default:
				unfitting++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d fit, %d do not, %d are left to the walk", fitting, unfitting, unsure)
	if fitting == 0 || unfitting == 0 || unsure > fitting+unfitting {
		t.Error("proofs say too little for the test to show anything")
	}
}

// TestProofAllocatesNothing validates what has lists by one key and by two, sets,
// formats and junctors.
func TestProofAllocatesNothing(t *testing.T) {
	if raced {
		t.Skip("SKIPPED: under the race detector a sync.Pool drops what it is given at random, so that walks are made anew")
	}
	v := compile(t, `
type: object
required: [names]
properties:
  names:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties:
        name: {type: string, maxLength: 5, pattern: '^[a-z]+$', format: dns1123label}
        size: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [port, protocol]
    items: {type: object, properties: {port: {type: integer, minimum: 1}, protocol: {type: string, enum: [TCP, UDP]}}}
  set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
  when: {type: string, format: date-time}
  labels: {type: object, additionalProperties: {type: string}}
`, declarative.Options{})
	obj := value.NewValueInterface(object(t, `
names: [{name: a, size: 1}, {name: b, size: 5%}, {name: c}]
ports: [{port: 80, protocol: TCP}, {port: 80, protocol: UDP}, {port: 81}, {protocol: TCP}]
set: [a, b, c]
when: 2026-01-02T03:04:05Z
labels: {a: b, c: d}
`))
	ctx := t.Context()
	validate := func() {
		if errs := v.Validate(ctx, obj, nil); len(errs) > 0 {
			t.Fatal(errs)
		}
	}
	if n := testing.AllocsPerRun(200, validate); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// converted is a schema as Compile takes it.
func converted(t *testing.T, props *apiextensionsv1.JSONSchemaProps) *spec.Schema {
	t.Helper()
	s := &spec.Schema{}
	if err := s.UnmarshalJSON([]byte(asJSON(t, props))); err != nil {
		t.Fatal(err)
	}
	return s
}

// stripped lets some schemas below strip zeros, and require their properties.
func stripped(src *rand.Rand, s *spec.Schema) {
	for name, p := range s.Properties {
		stripped(src, &p)
		if src.IntN(2) == 0 {
			p.AddExtension("x-kubernetes-strip-zero", true)
		}
		if src.IntN(3) == 0 {
			s.Required = append(s.Required, name)
		}
		s.Properties[name] = p
	}
	if s.Items != nil && s.Items.Schema != nil {
		stripped(src, s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		stripped(src, s.AdditionalProperties.Schema)
	}
	for _, branches := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			stripped(src, &branches[i])
		}
	}
}

// odd puts values into some objects that decoders do not make, or not often.
func odd(src *rand.Rand, obj map[string]any) {
	values := []any{
		int(0), int32(7), uint8(1), float32(0.5), 1e300, math.NaN(), math.Inf(1), 3.0, math.Copysign(0, -1), int64(math.MinInt64), nil, "", []any{}, map[string]any{},
		map[any]any{"a": 1}, []any{nil, nil}, []any{"a", int64(1), "a"}, uint64(1), make(chan int), struct{}{}, "\xff",
	}
	for key, x := range obj {
		switch x := x.(type) {
		case map[string]any:
			odd(src, x)
		case []any:
			for i := range x {
				if part, ok := x[i].(map[string]any); ok {
					odd(src, part)
				}
			}
		}
		if src.IntN(25) == 0 {
			obj[key] = values[src.IntN(len(values))]
		}
	}
}
