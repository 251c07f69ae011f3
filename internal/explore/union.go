package explore

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// discriminated is a union: an object whose discriminator says which of its fields is set, as in "type: CORS" beside "cors". Schemas do
// not declare it: the discriminator has an enum with the name of a field beside it, in any case.
type discriminated struct {
	discriminator string
	// values are those of the discriminator that have a field, with the name of that field.
	values map[string]string
}

// unionsOf returns the unions of an object, by the names of their discriminators.
func unionsOf(s *props) []discriminated {
	fields := map[string]string{}
	for name := range s.Properties {
		fields[strings.ToLower(name)] = name
	}
	var all []discriminated
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		one := discriminated{name, map[string]string{}}
		for _, value := range s.Properties[name].Enum {
			var text string
			if json.Unmarshal(value.Raw, &text) != nil {
				continue
			}
			if member, has := fields[strings.ToLower(text)]; has && member != name {
				one.values[text] = member
			}
		}
		if len(one.values) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// chosen returns an object with a value of the discriminator and without the fields of its other values. The object is
// not changed.
func (u discriminated) chosen(in map[string]any, value string) map[string]any {
	in = object.Of(u.discriminator).Put(in, value)
	for other, member := range u.values {
		if other != value && member != u.values[value] {
			delete(in, member)
		}
	}
	return in
}

// completed returns a value in which each discriminator has its field. The value is changed.
func completed(src generate.Source, s *props, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for _, u := range unionsOf(s) {
			chosen, _ := value[u.discriminator].(string)
			member, has := u.values[chosen]
			if _, set := value[member]; has && !set {
				value[member] = generate.Value(src, fieldOf(site{path: steps{{}}, schema: s}, member), generate.ObjectOptions{Values: 1})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if declared, has := s.Properties[name]; has {
				value[name] = completed(src, &declared, value[name])
			}
		}
	case []any:
		for i := range value {
			value[i] = completed(src, generate.Items(s), value[i])
		}
	}
	return value
}
