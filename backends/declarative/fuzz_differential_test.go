package declarative_test

import (
	"errors"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// largest limits the schemas and objects of the fuzzers, in bytes: larger ones take more time and find
// nothing else.
const largest = 16 << 10

// FuzzCompile: no schema, however wrong, makes Compile panic or hang. If it compiles, values of each kind are
// validated.
func FuzzCompile(f *testing.F) {
	for _, tt := range keywordCases() {
		f.Add([]byte(asJSON(f, served.Schema(f, tt.schema))))
	}
	f.Add([]byte(`{"$ref":"#/definitions/a","definitions":{"a":{"$ref":"#/definitions/a"}}}`))
	f.Add([]byte(`{"type":"string","pattern":"(","x-kubernetes-validations":[{"rule":"self."}],"x-kubernetes-list-type":7}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &spec.Schema{}
		if len(data) > largest || s.UnmarshalJSON(data) != nil {
			t.Skip("no schema")
		}
		v, err := declarative.Compile(s, declarative.Options{Definitions: map[string]*spec.Schema{"a": s}})
		if wrong := (*declarative.SchemaError)(nil); err != nil && (!errors.As(err, &wrong) || len(wrong.Errors) == 0) {
			t.Fatalf("the error names no mistake of the schema: %v", err)
		}
		if err != nil {
			return
		}
		for _, one := range []any{nil, true, int64(1), 1.5, "x", []any{"x", nil}, map[string]any{"a": map[string]any{"b": []any{}}}} {
			first := lines(v.Validate(t.Context(), value.NewValueInterface(one), value.NewValueInterface("old")))
			again := lines(v.Validate(t.Context(), value.NewValueInterface(one), value.NewValueInterface("old")))
			if asJSON(t, first) != asJSON(t, again) {
				t.Fatalf("%v: two runs give two results:\n%v\n%v", one, first, again)
			}
		}
	})
}

// Run the fuzzers with -fuzzminimizetime 1x: the coverage of the reference depends on the order of Go's maps,
// so every input looks interesting and would be minimized for a minute.

// FuzzObject: the declarative backend agrees with the reference on a schema, an object and an update of it
// that are made of the fuzzer's bytes.
func FuzzObject(f *testing.F) {
	for seed := range uint64(8) {
		src := generate.Seeded(seed)
		data := make([]byte, 256)
		for i := range data {
			data[i] = byte(src.IntN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > largest {
			t.Skip("too large")
		}
		src := generate.Bytes(data)
		props := randomschema.Make(src, randomschema.Options{Depth: 3, Nodes: 10})
		h, err := bothBackends(props, true)
		if err != nil {
			t.Fatalf("%v\nschema: %s", err, asJSON(t, props))
		}
		opts := generate.ObjectOptions{Faults: 6, Values: 20}
		obj := generate.Object(src, props, opts)
		for _, p := range []pair{{obj: obj}, {obj: generate.Vary(src, props, obj, opts), old: obj}} {
			if difference, _ := compared(t.Context(), h, p); difference != "" {
				t.Fatalf("%s\n%s", difference, shown(t, props, p))
			}
		}
	})
}
