package declarative_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// nested is an object with this many levels.
func nested(depth int, obj map[string]any) map[string]any {
	for range depth {
		obj = map[string]any{"a": obj}
	}
	return obj
}

func recursive(t testing.TB) *declarative.Validator {
	return compile(t, `{$ref: "#/definitions/A"}`, declarative.Options{
		WithoutEstimation: true,
		Definitions: map[string]*spec.Schema{"A": served.Schema(t,
			`{type: object, properties: {a: {$ref: "#/definitions/A"}, b: {type: string}, t: {type: string}}, `+
				`x-kubernetes-validations: [{rule: "!has(self.b)"}, {rule: "self == oldSelf"}]}`)},
	})
}

// TestDepth: a recursive schema does not follow an object without end, and an object that was too deep does
// not affect later ones.
func TestDepth(t *testing.T) {
	v := recursive(t)
	for _, tt := range []struct {
		why   string
		depth int
		obj   map[string]any
		want  int
	}{
		{"the deepest that is allowed", 1000, map[string]any{}, 0},
		{"one more", 1001, map[string]any{}, 1},
		{"a text is as deep as the fields of an object", 999, map[string]any{"t": "x"}, 0},
		{"one more text", 1000, map[string]any{"t": "x"}, 1},
		{"a stack overflow, if it were followed", 200_000, map[string]any{}, 1},
	} {
		obj := value.NewValueInterface(nested(tt.depth, tt.obj))
		// An update compares, and rules compare oldSelf.
		for _, old := range []value.Value{nil, value.NewValueInterface(nested(tt.depth, tt.obj))} {
			errs := v.Validate(t.Context(), obj, old)
			if len(errs) != tt.want || len(errs) > 0 && (errs[0].Origin != "depth" || errs[0].Type != field.ErrorTypeInvalid) {
				t.Errorf("%s, update %t: %d errors, want %d: %.200v", tt.why, old != nil, len(errs), tt.want, errs)
			}
		}
		for range 3 { // the walk is probably the same
			if errs := v.Validate(t.Context(), value.NewValueInterface(map[string]any{"b": ""}), nil); len(errs) != 1 ||
				errs[0].Origin != "x-kubernetes-validations" {
				t.Errorf("%s, and then a rule: %v", tt.why, errs)
			}
		}
	}
}

// TestDepthOfTyped checks that a Go object that contains itself is not followed without end.
func TestDepthOfTyped(t *testing.T) {
	type object struct {
		A *object `json:"a,omitempty"`
	}
	v, endless := recursive(t), &object{}
	endless.A = endless
	obj := goValue(t, endless)
	for why, old := range map[string]value.Value{"create": nil, "no change": obj,
		"the first of the two": goValue(t, &object{A: &object{}})} {
		if errs := v.Validate(t.Context(), obj, old); len(errs) != 1 || errs[0].Origin != "depth" {
			t.Errorf("%s: %d errors, want that it is too deep: %.200v", why, len(errs), errs)
		}
	}

	// Undeclared values are not visited, but compared with the old value.
	free := compile(t, `{type: object, properties: {a: {type: object, maxProperties: 0}}}`, declarative.Options{})
	if errs := free.Validate(t.Context(), obj, obj); len(errs) != 1 || errs[0].Origin != "maxProperties" {
		t.Errorf("values that are too deep to be compared are equal: %.200v", errs)
	}

	lists := compile(t, `{$ref: "#/definitions/L"}`, declarative.Options{
		Definitions: map[string]*spec.Schema{"L": served.Schema(t, `{type: array, items: {$ref: "#/definitions/L"}}`)},
	})
	turning := []any{nil}
	turning[0] = turning
	if errs := lists.Validate(t.Context(), goValue(t, &turning), nil); len(errs) != 1 || errs[0].Origin != "depth" {
		t.Errorf("a list in itself: %d errors, want that it is too deep: %.200v", len(errs), errs)
	}
}

// TestStrangeObjects checks that no object makes Validate panic.
func TestStrangeObjects(t *testing.T) {
	type loop struct {
		Next *loop `json:"next,omitempty"`
	}
	everything := `
type: object
properties: {s: {type: string, minLength: 1, pattern: a, format: date-time}, i: {type: integer, format: int32, minimum: ` +
		`1, multipleOf: 2}, "n": {type: number, multipleOf: 0.1}, l: {type: array, x-kubernetes-list-type: map, ` +
		`x-kubernetes-list-map-keys: [a], uniqueItems: true, minItems: 1, items: {type: object, x-kubernetes-embedded-resource: ` +
		`true}}, e: {enum: [1, a, null, [1], {a: 1}]}}
additionalProperties: {type: string, anyOf: [{maxLength: 1}, {not: {pattern: b}}]}
x-kubernetes-validations: [{rule: "has(self.s) && self.s.getFullYear() > 1"}, {rule: "self.l.all(x, x == self.l[0])"}, ` +
		`{rule: "self.n > 1 && self.i > 0"}]
`
	v := compile(t, everything, declarative.Options{WithoutEstimation: true})
	values := []any{
		nil, true, 1, int64(1), uint64(1), 1.5, math.NaN(), math.Inf(1), math.MaxFloat64, "", "\xff", 'x', []any{}, map[string]any{},
		[]any{nil, []any{nil}, map[string]any{"a": nil}}, map[any]any{1: 2, "a": "b"}, []string{"a"}, map[string]string{"a": "b"},
		make(chan int), func() {}, struct{}{}, &loop{}, complex(1, 2), []byte("x"), error(nil), (*loop)(nil), (map[string]any)(nil),
		([]any)(nil),
	}
	ctx := context.Background()
	for i, x := range values {
		for _, key := range []string{"s", "i", "n", "l", "e", "z", ""} {
			obj := map[string]any{key: x}
			v.Validate(ctx, value.NewValueInterface(obj), nil)
			v.Validate(ctx, value.NewValueInterface(obj), value.NewValueInterface(map[string]any{key: values[(i+1)%len(values)]}))
			v.Validate(ctx, value.NewValueInterface(obj), value.NewValueInterface(obj))
		}
		v.Validate(ctx, value.NewValueInterface(x), value.NewValueInterface(x))
	}
	v.Validate(ctx, nil, nil)

	typed := []any{
		&loop{Next: &loop{}}, &map[int]string{1: "a"}, &map[string]any{"s": make(chan int)}, &[]any{uint64(1)},
		&struct {
			S chan int `json:"s"`
			I uint64   `json:"i"`
			L any      `json:"l"`
		}{L: []any{map[string]any{"a": func() {}}}},
	}
	for i, x := range typed {
		obj, err := value.NewValueReflect(x)
		if err != nil {
			t.Fatal(err)
		}
		v.Validate(ctx, obj, obj)
		if errs := v.Validate(ctx, obj, nil); len(errs) == 0 {
			t.Errorf("typed object %d is no valid object, and nothing was reported", i)
		}
	}
}

// TestDeterministic checks that a hundred runs return the same errors, in many goroutines at once and at the
// limit of the budget too.
func TestDeterministic(t *testing.T) {
	v := compile(t, `
type: object
additionalProperties: {type: object, additionalProperties: {type: string, maxLength: 2, x-kubernetes-validations: [{rule: `+
		`"self.size() < 2", message: long}]}}
`, declarative.Options{Limits: declarative.Limits{PerObject: 100}, WithoutEstimation: true})
	obj := map[string]any{}
	for i := range 10 {
		in := map[string]any{}
		for j := range 10 {
			in[fmt.Sprint("k", j)] = "abc"[:j%4]
		}
		obj[fmt.Sprint("o", i)] = in
	}
	want := origins(v.Validate(context.Background(), value.NewValueInterface(obj), nil))
	if len(want) < 20 {
		t.Fatalf("too few errors to tell orders apart: %d", len(want))
	}
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() {
			for range 10 {
				got := origins(v.Validate(context.Background(), value.NewValueInterface(obj), nil))
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("(-first +now):\n%s", d)
				}
			}
		})
	}
	wait.Wait()
}

// TestCompileAtOnce compiles schemas with rules in many goroutines, which share the CEL environments of two
// versions, and runs the rules in all of them.
func TestCompileAtOnce(t *testing.T) {
	schema := served.Schema(t, `{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > 1, `+
		`messageExpression: "'not ' + string(self)"}, {rule: "quantity(string(self)).isInteger()"}]}}}`)
	var compiled [2]*declarative.Validator
	var once [2]sync.Once
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			opts := declarative.Options{Semantics: declarative.CustomResources, WithoutEstimation: true}
			if i%2 == 1 {
				opts.CompatibilityVersion = version.MajorMinor(1, 33) // only this test uses it
			}
			v, err := declarative.Compile(schema, opts)
			if err != nil {
				t.Error(err)
				return
			}
			once[i%2].Do(func() { compiled[i%2] = v })
			for _, v := range []*declarative.Validator{v, compiled[i%2]} {
				for a, want := range []int{1, 1, 0} {
					obj := value.NewValueInterface(map[string]any{"a": int64(a)})
					if errs := v.Validate(t.Context(), obj, nil); len(errs) != want || want > 0 && errs[0].Detail != fmt.Sprint("not ", a) {
						t.Errorf("%d: %v", a, errs)
					}
				}
			}
		})
	}
	wait.Wait()
}

// TestBudget checks that rules end when the budget of an object is used up, with an error that says so.
func TestBudget(t *testing.T) {
	v := compile(t, `{type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 0, message: zero}]}}`,
		declarative.Options{Limits: declarative.Limits{PerObject: 10}, WithoutEstimation: true})
	got := origins(v.Validate(context.Background(),
		value.NewValueInterface([]any{int64(0), int64(1), int64(1), int64(1), int64(1), int64(1), int64(0)}), nil))
	want := []string{
		"x-kubernetes-validations FieldValueInvalid [0] zero",
		"x-kubernetes-validations FieldValueInvalid [5] validation failed due to running out of cost budget, no further " +
			"validation rules will be run",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestInterrupt checks that a context that is done ends a rule, whatever evaluates it.
func TestInterrupt(t *testing.T) {
	list := make([]any, 300)
	for i := range list {
		list[i] = int64(1)
	}
	for _, tt := range []struct{ why, rule string }{
		{"loops in loops", "self.all(a, self.all(b, a + b > 0))"},
		{"a rule with a plan", "self.all(a, a > 0)"},
		{"lists that are made on the way", "self.map(a, a * 20).filter(a, a > 10).exists(a, a == 20)"},
	} {
		v := compile(t, fmt.Sprintf(`{type: array, items: {type: integer}, x-kubernetes-validations: [{rule: %q}]}`, tt.rule),
			declarative.Options{WithoutEstimation: true})
		ctx, cancel := context.WithCancel(context.Background())
		if errs := v.Validate(ctx, value.NewValueInterface(list), nil); len(errs) != 0 {
			t.Fatalf("%s: before: %v", tt.why, errs)
		}
		cancel()
		got := origins(v.Validate(ctx, value.NewValueInterface(list), nil))
		want := []string{"x-kubernetes-validations FieldValueInvalid <nil> operation interrupted: context canceled evaluating rule: " +
			tt.rule}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
	}
}

// TestConcurrentFirstUse lets many goroutines be the first to validate with a schema: what they learn about
// its Go types is shared.
func TestConcurrentFirstUse(t *testing.T) {
	v, good, wrong := pods(t), pod(nothing), pod(func(p *corev1.Pod) { p.Spec.Containers[0].Name = "" })
	objects := []value.Value{goValue(t, good), dataOf(t, good), goValue(t, wrong), dataOf(t, wrong)}
	want := [][]string{{}, {}, {`FieldValueRequired spec.containers[0].name "" `}, {`FieldValueRequired spec.containers[0].name "" `}}
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			for k := range objects {
				at := (i + k) % len(objects)
				if d := cmp.Diff(want[at], lines(v.Validate(t.Context(), objects[at], nil))); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
			}
		})
	}
	running.Wait()
}
