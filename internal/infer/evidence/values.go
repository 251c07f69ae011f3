package evidence

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Values are the values of the fields below a scope in the samples, by the names of the fields, each once. They are
// collected once for all sites with this scope.
type Values struct {
	byField map[string][]any
	known   map[string]bool
	read    int // samples
}

// Bounds of the values that are collected.
const (
	mostDepth = 3  // fields that lead to one
	mostSeen  = 24 // of a field
)

// longestValue bounds the JSON of a value that is kept.
const longestValue = 2_000

// ValuesAt returns the values of the fields below a scope, by their names; that of the scope is empty.
func (e *Evidence) ValuesAt(scope Place) map[string][]any {
	name := scope.String()
	if e.Values[name] == nil {
		e.Values[name] = &Values{byField: map[string][]any{}, known: map[string]bool{}}
	}
	v := e.Values[name]
	for _, sample := range e.Samples[v.read:] {
		for _, at := range Instances(sample.Decoded, scope) {
			v.add(nil, at.Value, e.Depth())
		}
	}
	v.read = len(e.Samples)
	return v.byField
}

// add adds a value at a field, and those of the fields in it.
func (v *Values) add(at Place, value any, depth int) {
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
		v.add(at.Below(part), fields[part], depth)
	}
}

// accepted are some values of a place in accepted samples.
type accepted struct {
	values []any
	known  map[string]bool
	read   int // samples
}

// AcceptedAt returns the first values at a place of samples that both validators accept, if their keys differ; those without a key
// are left out.
func (e *Evidence) AcceptedAt(at Place, most int, key func(value any) string) []any {
	name := fmt.Sprint(at.String(), most)
	a := e.acceptedValues[name]
	if a == nil {
		a = &accepted{known: map[string]bool{}}
		e.acceptedValues[name] = a
	}
	for ; a.read < len(e.Samples) && len(a.values) < most; a.read++ {
		if s := e.Samples[a.read]; !s.Accepted || s.Masked {
			continue
		}
		for _, one := range Instances(e.Samples[a.read].Decoded, at) {
			if k := key(one.Value); k != "" && !a.known[k] && len(a.values) < most {
				a.known[k] = true
				a.values = append(a.values, one.Value)
			}
		}
	}
	return a.values
}

// Depth returns how many fields lead to a value that conditions may read.
func (e *Evidence) Depth() int {
	if e.Requests != nil {
		return requestDepth
	}
	return mostDepth
}

// MadeAt makes a value for a place of the object from its schema.
func (e *Evidence) MadeAt(at Place) any {
	name := at.String()
	value, known := e.made[name]
	if known {
		return value
	}
	if schema := at.Schema(e.Target.Document.Root); schema != nil {
		if props, err := generate.Expand(schema, e.Target.Document.Definitions); err == nil {
			value = generate.Value(generate.Seeded(e.Options.Seed), props, generate.ObjectOptions{})
		}
	}
	e.made[name] = value
	return value
}

func Equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func SortedKeys(of map[string]any) []string { return slices.Sorted(maps.Keys(of)) }
