// Package largeobject makes valid objects of a wanted size for tests and benchmarks.
package largeobject

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Growth is the goal of Grow.
type Growth struct {
	// Bytes is the wanted size of the object as JSON. The result may be a tenth larger.
	Bytes int
	// Valid reports whether an object is valid. If it is nil, every object is.
	Valid func(obj map[string]any) bool
	// Object has the identity of the object. Its faults and sizes are ignored.
	Object generate.ObjectOptions
}

// mostRefused is the number of additions in a row that may be refused, and of first objects that may
// be invalid, before Grow gives up.
const mostRefused = 400

// Grow makes a valid object of a wanted size. It starts from an object with little more than the
// required fields, and adds fields, entries and items while the object stays valid. It assembles
// large objects from smaller ones first, because those validate much faster. The error says how far
// it got.
func Grow(src generate.Source, schema *apiextensionsv1.JSONSchemaProps, growth Growth) (map[string]any, error) {
	if growth.Valid == nil {
		growth.Valid = func(map[string]any) bool { return true }
	}
	growth.Object.Faults, growth.Object.Defaulted = 0, true
	obj, err := seedling(src, schema, growth)
	if err != nil {
		return nil, err
	}
	if small := growth.Bytes / parts; small > sizeOf(obj) {
		obj = assemble(src, schema, obj, small, growth)
	}
	return add(src, schema, obj, growth)
}

// parts is the number of small objects that a large one is assembled from.
const parts = 12

// assemble joins small objects while the result is valid and not too large.
func assemble(src generate.Source, schema *apiextensionsv1.JSONSchemaProps, obj map[string]any, small int, growth Growth) map[string]any {
	limit := growth.Bytes
	growth.Bytes = small
	for refused := 0; refused < parts; {
		seed, err := seedling(src, schema, growth)
		if err != nil {
			break
		}
		part, err := add(src, schema, seed, growth)
		if err != nil {
			refused++
			continue
		}
		larger := runtime.DeepCopyJSON(obj)
		generate.Join(schema, larger, part)
		size := sizeOf(larger)
		switch {
		case size <= limit+limit/10 && size > sizeOf(obj) && growth.Valid(larger):
			obj = larger
		default:
			refused++
		}
		if sizeOf(obj) >= limit-small {
			break
		}
	}
	return obj
}

// add adds to an object until it has the wanted size.
func add(src generate.Source, schema *apiextensionsv1.JSONSchemaProps, obj map[string]any, growth Growth) (map[string]any, error) {
	batch, size := 1, sizeOf(obj)
	for refused := 0; size < growth.Bytes; {
		larger := runtime.DeepCopyJSON(obj)
		for range batch {
			opts := growth.Object
			opts.Values, opts.Generous = 4+generate.Dice{Source: src}.IntN(12), true
			generate.Add(src, schema, larger, opts)
		}
		if now := sizeOf(larger); now > size && now <= growth.Bytes+growth.Bytes/10 && growth.Valid(larger) {
			obj, size, refused, batch = larger, now, 0, min(2*batch, 64)
			continue
		}
		batch = max(1, batch/2)
		if refused++; refused > mostRefused {
			return nil, fmt.Errorf("the object grew to %d of %d bytes; then %d additions in a row were not valid", size, growth.Bytes,
				refused)
		}
	}
	return obj, nil
}

// seedling makes a small valid object.
func seedling(src generate.Source, schema *apiextensionsv1.JSONSchemaProps, growth Growth) (map[string]any, error) {
	opts := growth.Object
	opts.Generous = false
	for i := range mostRefused {
		opts.Values = 1 + i/20
		if obj := generate.Object(src, schema, opts); growth.Valid(obj) {
			return obj, nil
		}
	}
	return nil, fmt.Errorf("none of %d small objects is valid", mostRefused)
}

func sizeOf(obj map[string]any) int {
	text, err := json.Marshal(obj)
	if err != nil {
		panic(err) // generated objects are JSON
	}
	return len(text)
}
