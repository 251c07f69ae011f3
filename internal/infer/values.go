package infer

import (
	"encoding/json"
	"maps"
	"slices"
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
		for _, at := range instances(sample.object, scope) {
			v.add(nil, at.value)
		}
	}
	v.read = len(e.samples)
	return v.byField
}

// add adds a value at a field, and those of the fields in it.
func (v *values) add(at place, value any) {
	name := at.String()
	if len(v.byField[name]) < mostSeen {
		if key, err := json.Marshal([]any{name, value}); err == nil && len(key) <= longestValue && !v.known[string(key)] {
			v.known[string(key)] = true
			v.byField[name] = append(v.byField[name], value)
		}
	}
	fields, _ := value.(map[string]any)
	if len(at) == mostDepth {
		return
	}
	for _, part := range slices.Sorted(maps.Keys(fields)) {
		v.add(at.below(part), fields[part])
	}
}
