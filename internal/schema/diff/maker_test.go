package diff_test

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	schemadiff "github.com/diffrun/diffrun/internal/schema/diff"
)

// TestMaker: what is made for a number depends on the seed and the number alone, and is valid or
// wrong, a create or an update.
func TestMaker(t *testing.T) {
	bound := spec.Int64Property()
	ten := 10.0
	bound.Maximum = &ten
	side, err := schemadiff.Compile(&spec.Schema{SchemaProps: spec.SchemaProps{
		Type: spec.StringOrArray{"object"}, Required: []string{"size"}, Properties: map[string]spec.Schema{"size": *bound, "name": *spec.StringProperty()},
	}}, nil, schemadiff.AnySchema)
	if err != nil {
		t.Fatal(err)
	}
	widget := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	maker := func(seed uint64) *schemadiff.Maker {
		m, err := schemadiff.NewMaker(t.Context(), side, schemadiff.Making{Version: widget, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first, again, other := maker(1), maker(1), maker(2)
	same, updates, valid, wrong := 0, 0, 0, 0
	const made = 300
	for number := uint64(made); number > 0; number-- { // again makes them in another order
		_, _ = again.Make(number, 0)
	}
	for number := range uint64(made) {
		object, old := first.Make(number, 0)
		objectAgain, oldAgain := again.Make(number, 0)
		if diff := cmp.Diff([]any{object, old}, []any{objectAgain, oldAgain}); diff != "" {
			t.Fatalf("number %d is another one the second time:\n%s", number, diff)
		}
		if elsewhere, _ := other.Make(number, 0); cmp.Equal(object, elsewhere) {
			same++
		}
		if old != nil {
			updates++
		}
		if object["kind"] != "Widget" || object["apiVersion"] != "example.com/v1" {
			t.Fatalf("number %d is no Widget: %v", number, object)
		}
		if len(side.Validate(t.Context(), object)) == 0 {
			valid++
		} else {
			wrong++
		}
	}
	if updates != made/3 || valid < made/10 || wrong < made/10 || same > made/2 {
		t.Errorf("of %d, %d are updates, %d valid, %d wrong, and %d are the same with another seed", made, updates, valid, wrong, same)
	}
}

// TestMakerMetadata: an update keeps the name and the namespace of the object before it, and an
// object of a cluster has no namespace.
func TestMakerMetadata(t *testing.T) {
	somewhere, nowhere := spec.StringProperty(), spec.StringProperty()
	somewhere.MinLength = new(int64(1))
	nowhere.MaxLength = new(int64(0))
	for _, tc := range []struct {
		namespace *spec.Schema
		required  []string
		has       bool
	}{{somewhere, []string{"name", "namespace"}, true}, {nowhere, []string{"name"}, false}} {
		name := spec.StringProperty()
		name.Enum = []any{"a", "b"}
		side, err := schemadiff.Compile(&spec.Schema{SchemaProps: spec.SchemaProps{
			Type: spec.StringOrArray{"object"}, Properties: map[string]spec.Schema{
				"apiVersion": *spec.StringProperty(), "kind": *spec.StringProperty(), "size": *spec.Int64Property(),
				"metadata": {SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}, Required: tc.required, Properties: map[string]spec.Schema{
					"name": *name, "namespace": *tc.namespace, "resourceVersion": *spec.StringProperty(),
				}}},
			},
		}}, nil, schemadiff.AnySchema)
		if err != nil {
			t.Fatal(err)
		}
		m, err := schemadiff.NewMaker(t.Context(), side, schemadiff.Making{Version: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		updates := 0
		for number := range uint64(60) {
			object, old := m.Make(number, 0)
			metadata := object["metadata"].(map[string]any)
			if namespace, _ := metadata["namespace"].(string); (namespace != "") != tc.has {
				t.Fatalf("the metadata of number %d is %v; a namespace: %t", number, metadata, tc.has)
			}
			if old == nil {
				continue
			}
			updates++
			if diff := cmp.Diff(old["metadata"], object["metadata"]); diff != "" || metadata["resourceVersion"] != "1" {
				t.Errorf("the update %d changes metadata to %v:\n%s", number, metadata, diff)
			}
			if object["kind"] != "Widget" || object["apiVersion"] != "example.com/v1" {
				t.Errorf("the update %d is no Widget: %v", number, object)
			}
		}
		if updates != 20 {
			t.Errorf("%d of 60 are updates; want 20", updates)
		}
	}
}

// TestMakerBare: an object of a schema that has fields, and metadata is none of them, has none. A
// definition need not declare its metadata.
func TestMakerBare(t *testing.T) {
	for source, bare := range map[schemadiff.Source]bool{schemadiff.AnySchema: true, schemadiff.OfDefinition: false} {
		side, err := schemadiff.Compile(&spec.Schema{SchemaProps: spec.SchemaProps{
			Type: spec.StringOrArray{"object"}, Properties: map[string]spec.Schema{"size": *spec.Int64Property()},
		}}, nil, source)
		if err != nil {
			t.Fatal(err)
		}
		m, err := schemadiff.NewMaker(t.Context(), side, schemadiff.Making{Version: schema.GroupVersionKind{Version: "v1", Kind: "Options"}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for number := range uint64(9) {
			object, old := m.Make(number, 0)
			for _, made := range []map[string]any{object, old} {
				if _, has := made["metadata"]; made != nil && has == bare {
					t.Errorf("source %d: number %d has metadata: %t", source, number, has)
				}
			}
		}
	}
}

// TestMakerKnown: where no object that is made from nothing is valid, updates begin with the known
// ones that are, whatever version they were written in.
func TestMakerKnown(t *testing.T) {
	widget := spec.Schema{SchemaProps: spec.SchemaProps{
		Type: spec.StringOrArray{"object"}, Required: []string{"size", "sum"}, Properties: map[string]spec.Schema{"metadata": {SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}}}, "size": *spec.Int64Property(), "sum": *spec.StringProperty(), "note": *spec.StringProperty()},
	}}
	widget.AddExtension("x-kubernetes-validations", []any{map[string]any{"rule": "self.sum == 'sum of ' + string(self.size) + ' and ' + string(self.size + 1)"}})
	side, err := schemadiff.Compile(&widget, nil, schemadiff.AnySchema)
	if err != nil {
		t.Fatal(err)
	}
	known := []map[string]any{
		{"apiVersion": "example.com/v1beta1", "kind": "Widget", "metadata": map[string]any{"name": "a"}, "size": int64(7), "sum": "sum of 7 and 8"},
		{"apiVersion": "example.com/v1beta1", "kind": "Widget", "metadata": map[string]any{"name": "b"}, "size": int64(7), "sum": "sum of 7 and 9"},
	}
	for _, tc := range []struct {
		why     string
		known   []map[string]any
		only    bool
		updates int
	}{
		{"nobody knows an object", nil, false, 0},
		{"of the known ones the first is valid", known, false, 100},
		{"nothing can be created", known, true, 300},
	} {
		m, err := schemadiff.NewMaker(t.Context(), side, schemadiff.Making{Version: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, Seed: 1, Known: tc.known, Updates: tc.only})
		if err != nil {
			t.Fatal(err)
		}
		updates := 0
		for number := range uint64(300) {
			if _, old := m.Make(number, 0); old != nil {
				updates++
				want := map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "a", "resourceVersion": "1"}, "size": int64(7), "sum": "sum of 7 and 8"}
				if diff := cmp.Diff(want, old); diff != "" {
					t.Fatalf("%s: update %d begins with another object:\n%s", tc.why, number, diff)
				}
			}
		}
		if updates != tc.updates {
			t.Errorf("%s: %d of 300 are updates; want %d", tc.why, updates, tc.updates)
		}
	}
	if known[0]["apiVersion"] != "example.com/v1beta1" {
		t.Errorf("the known object was changed: %v", known[0])
	}
}

// TestMakerTries: each try for a number makes another object, and the last ones are not wrong on
// purpose.
func TestMakerTries(t *testing.T) {
	name := spec.StringProperty()
	name.Enum = []any{"a", "b", "c"}
	side, err := schemadiff.Compile(&spec.Schema{SchemaProps: spec.SchemaProps{
		Type: spec.StringOrArray{"object"}, Required: []string{"name"}, Properties: map[string]spec.Schema{"name": *name, "note": *spec.StringProperty()},
	}}, nil, schemadiff.AnySchema)
	if err != nil {
		t.Fatal(err)
	}
	m, err := schemadiff.NewMaker(t.Context(), side, schemadiff.Making{Version: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	same, accepted, rejected := 0, 0, 0
	for number := range uint64(300) {
		first, _ := m.Make(number, 0)
		last, _ := m.Make(number, schemadiff.Tries-1)
		again, _ := m.Make(number, schemadiff.Tries-1)
		if !cmp.Equal(last, again) {
			t.Fatalf("the last try for %d is another one the second time", number)
		}
		if cmp.Equal(first, last) {
			same++
		}
		if len(side.Validate(t.Context(), first)) > 0 {
			rejected++
		}
		if len(side.Validate(t.Context(), last)) == 0 {
			accepted++
		}
	}
	if same > 100 || rejected < 10 || accepted < 250 {
		t.Errorf("of 300 objects, %d are the same in the last try, %d are rejected in the first, and %d accepted in the last", same, rejected, accepted)
	}
}

// TestMakerKeepsNoValidator: a soak has a Maker for each kind, and the rules of all of them are
// large.
func TestMakerKeepsNoValidator(t *testing.T) {
	side, err := schemadiff.Compile(&spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}}}, nil, schemadiff.AnySchema)
	if err != nil {
		t.Fatal(err)
	}
	var kept weak.Pointer[[1 << 20]byte]
	side.Validate, kept = heavy(side.Validate)
	m, err := schemadiff.NewMaker(t.Context(), side, schemadiff.Making{Version: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	side = schemadiff.Side{}
	runtime.GC()
	if kept.Value() != nil {
		t.Error("the validator is still in memory")
	}
	if object, _ := m.Make(1, 0); object["kind"] != "Widget" {
		t.Errorf("made %v", object)
	}
}

// heavy is a validator that holds memory.
func heavy(validate schemadiff.Validate) (schemadiff.Validate, weak.Pointer[[1 << 20]byte]) {
	rules := new([1 << 20]byte)
	return func(ctx context.Context, object map[string]any) []schemadiff.Rejection {
		rules[0]++
		return validate(ctx, object)
	}, weak.Make(rules)
}
