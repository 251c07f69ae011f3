package infer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// values are the values of the fields below a scope in the samples, by the names of the fields, each once. They are
// collected once for all sites with this scope.
type values struct {
	byField map[string][]any
	known   map[string]bool
	read    int // samples
}

// longestValue bounds the JSON of a value that is kept.
const longestValue = 2_000

// valuesAt returns the values of the fields below a scope, by their names; that of the scope is empty.
func (e *evidence) valuesAt(scope place) map[string][]any {
	name := scope.String()
	if e.values[name] == nil {
		e.values[name] = &values{byField: map[string][]any{}, known: map[string]bool{}}
	}
	v := e.values[name]
	for _, sample := range e.samples[v.read:] {
		for _, at := range instances(sample.decoded, scope) {
			v.add(nil, at.value, e.depth())
		}
	}
	v.read = len(e.samples)
	return v.byField
}

// add adds a value at a field, and those of the fields in it.
func (v *values) add(at place, value any, depth int) {
	name := at.String()
	if len(v.byField[name]) < mostSeen {
		if key, err := json.Marshal([]any{name, value}); err == nil && len(key) <= longestValue && !v.known[string(key)] {
			v.known[string(key)] = true
			v.byField[name] = append(v.byField[name], value)
		}
	}
	fields, _ := value.(map[string]any)
	if len(at) == depth {
		return
	}
	for _, part := range slices.Sorted(maps.Keys(fields)) {
		v.add(at.below(part), fields[part], depth)
	}
}

// accepted are some values of a place in accepted samples.
type accepted struct {
	values []any
	known  map[string]bool
	read   int // samples
}

// acceptedAt returns the first values at a place of samples that both validators accept, if their keys differ; those without a key
// are left out.
func (e *evidence) acceptedAt(at place, most int, key func(value any) string) []any {
	name := fmt.Sprint(at.String(), most)
	a := e.acceptedValues[name]
	if a == nil {
		a = &accepted{known: map[string]bool{}}
		e.acceptedValues[name] = a
	}
	for ; a.read < len(e.samples) && len(a.values) < most; a.read++ {
		if s := e.samples[a.read]; !s.accepted || s.masked {
			continue
		}
		for _, one := range instances(e.samples[a.read].decoded, at) {
			if k := key(one.value); k != "" && !a.known[k] && len(a.values) < most {
				a.known[k] = true
				a.values = append(a.values, one.value)
			}
		}
	}
	return a.values
}

// depth returns how many fields lead to a value that conditions may read.
func (e *evidence) depth() int {
	if e.requests != nil {
		return requestDepth
	}
	return mostDepth
}

// madeAt makes a value for a place of the object from its schema.
func (e *evidence) madeAt(at place) any {
	name := at.String()
	value, known := e.made[name]
	if known {
		return value
	}
	if schema := at.schema(e.target.Document.Root); schema != nil {
		if props, err := generate.Expand(schema, e.target.Document.Definitions); err == nil {
			value = generate.Value(generate.Seeded(e.options.Seed), props, generate.ObjectOptions{})
		}
	}
	e.made[name] = value
	return value
}

func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func sortedKeys(of map[string]any) []string { return slices.Sorted(maps.Keys(of)) }
