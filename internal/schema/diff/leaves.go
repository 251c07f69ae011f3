package diff

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/openapi"
)

// leaf makes a value for the path of a change from the existing one, which is nil if there is none.
// The value absent removes it.
type leaf func(current any) any

type absence struct{}

var absent absence

func clone(object map[string]any) map[string]any { return runtime.DeepCopyJSON(object) }

// The numbers of values that are made if only the type is known, and if the change shows which
// values matter.
const (
	anyValues = 40
	fewValues = 6
	// fullValues are made for each rule, which may be about a field far below.
	fullValues = 12
)

// leaves returns values that may show the change, likeliest first: values that only the accepting
// schema accepts.
func (t *trial) leaves(steps []string) []leaf {
	accept, reject := follow(t.accept.schema, steps), follow(t.reject.schema, steps)
	var all []leaf
	values, constants := anyValues, samples()
	add := func(make func() any) { all = append(all, func(any) any { return make() }) }
	if accept != nil && reject != nil {
		all = append(all, t.sized(accept, reject)...)
		if t.change.Kind == "pattern" {
			all = append(all, t.between(accept, reject)...)
		}
		for _, part := range narrowed(t.change.Kind, accept, reject) {
			values, constants = fewValues, nil
			for range 3 {
				add(func() any { return generate.Value(t.src, part, generate.ObjectOptions{Values: 1}) })
			}
		}
	}
	switch t.change.Kind {
	case "required", "default":
		values, constants = 0, nil
		add(func() any { return absent })
	case "nullable":
		values, constants = 0, nil
		add(func() any { return nil })
	case openapi.XListType, "uniqueItems":
		all = append(all, t.twice(accept)...)
	case KindFields:
		all = append(all, t.another(accept)...)
	case "allOf", "anyOf", "oneOf", "not":
		all = append(all, t.branches(accept, reject)...)
	}
	for i := range values {
		opts := generate.ObjectOptions{Values: []int{1, 4, 12}[i%3], Generous: i%4 == 3, Faults: []int{0, 0, 0, 4}[i%4]}
		if accept != nil {
			add(func() any { return generate.Value(t.src, accept, opts) })
		}
		if reject != nil && i%3 == 0 {
			add(func() any { return generate.Value(t.src, reject, generate.ObjectOptions{Values: 4, Faults: 2}) })
		}
	}
	for i := range fullValues * len(t.change.rules) {
		if accept != nil {
			add(func() any {
				return generate.Value(t.src, accept, generate.ObjectOptions{Values: 1 + i%4, Generous: true})
			})
		}
	}
	for _, sample := range constants {
		add(func() any { return sample })
	}
	return append(all, t.literals()...)
}

// literals returns the values that a rule names.
func (t *trial) literals() []leaf {
	var all []leaf
	for _, rule := range t.change.rules {
		for _, literal := range rule.literals {
			all = append(all, func(any) any { return literal })
		}
	}
	return all[:min(len(all), anyValues)]
}

// samples returns values of each type, and strings of the most common formats.
func samples() []any {
	return []any{
		"a", int64(1), int64(0), int64(-1), 1.5, true, nil, []any{}, map[string]any{}, "", "A", "a b", "-", "é",
		"2026-01-31", "2026-01-31T10:00:00Z", "10.0.0.1", "::1", "10.0.0.0/8", "https://example.com/a", "a@example.com",
		"11111111-1111-4111-8111-111111111111", "1h", "YQ==", "example.com", "1", "00:00:5e:00:53:01",
	}
}

// twice returns lists that have an item twice.
func (t *trial) twice(list *props) []leaf {
	items := followItems(list)
	if items == nil {
		return nil
	}
	var all []leaf
	for range 6 {
		all = append(all, func(any) any {
			item := generate.Value(t.src, items, generate.ObjectOptions{Values: 1})
			return []any{item, runtime.DeepCopyJSONValue(item)}
		})
	}
	return all
}

// another returns leaves that add a field that neither schema declares.
func (t *trial) another(object *props) []leaf {
	var all []leaf
	value := func() any { return "x" }
	if object != nil && object.AdditionalProperties != nil && object.AdditionalProperties.Schema != nil {
		value = func() any {
			return generate.Value(t.src, object.AdditionalProperties.Schema, generate.ObjectOptions{Values: 1})
		}
	}
	for range 4 {
		all = append(all, func(current any) any {
			return with(current, "another", value())
		})
	}
	return all
}

// with returns a copy of an object with a changed field.
func with(current any, name string, value any) any {
	fields, _ := current.(map[string]any)
	fields = maps.Clone(fields)
	if fields == nil {
		fields = map[string]any{}
	}
	fields[name] = value
	return fields
}

// place changes the value at a path, and adds missing values around it.
func (t *trial) place(s *props, value any, steps []string, change leaf) any {
	if len(steps) == 0 {
		return change(value)
	}
	if s == nil {
		s = &props{}
	}
	if steps[0] == "[*]" {
		list, _ := value.([]any)
		items := followItems(s)
		if len(list) == 0 {
			list = []any{t.some(items)}
		}
		list = slices.Clone(list)
		if list[0] = t.place(items, list[0], steps[1:], change); list[0] == absent {
			return list[1:]
		}
		return list
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		made, _ := t.some(s).(map[string]any)
		object = made
	}
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	name := steps[0]
	if name == "*" {
		name = "key"
	}
	chooseMember(s, object, name)
	part := t.place(follow(s, steps[:1]), object[name], steps[1:], change)
	if part == absent {
		delete(object, name)
	} else {
		object[name] = part
	}
	return object
}

// chooseMember sets the discriminator of a union to the field that is about to be set, and removes
// the fields of its other values. A discriminator is a field whose enum has a value with the name
// of the field, such as "type: CORS" beside "cors".
func chooseMember(s *props, object map[string]any, name string) {
	for _, sibling := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[sibling]
		var chosen any
		var others []string
		for _, one := range property.Enum {
			var value any
			if err := json.Unmarshal(one.Raw, &value); err != nil {
				continue
			}
			text, _ := value.(string)
			if strings.EqualFold(text, name) {
				chosen = value
			} else {
				others = append(others, text)
			}
		}
		if chosen == nil || sibling == name {
			continue
		}
		object[sibling] = chosen
		maps.DeleteFunc(object, func(field string, _ any) bool {
			return slices.ContainsFunc(others, func(other string) bool { return strings.EqualFold(other, field) })
		})
	}
}

// some returns a nearly empty value.
func (t *trial) some(s *props) any {
	if s == nil {
		return map[string]any{}
	}
	return generate.Value(t.src, s, generate.ObjectOptions{Values: 1})
}

// follow returns the schema at a path; nil if none is declared.
func follow(s *props, steps []string) *props {
	for _, step := range steps {
		if s == nil {
			return nil
		}
		if step == "[*]" {
			s = followItems(s)
			continue
		}
		if property, declared := s.Properties[step]; declared {
			s = &property
			continue
		}
		if s.AdditionalProperties == nil {
			return nil
		}
		s = s.AdditionalProperties.Schema
	}
	return s
}

func followItems(s *props) *props {
	if s == nil || s.Items == nil {
		return nil
	}
	return s.Items.Schema
}

// narrowed returns the parts of the accepting schema that the rejecting one, which has another
// value of a keyword, rejects.
func narrowed(kind string, accept, reject *props) []*props {
	part := *accept
	switch kind {
	case "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "multipleOf":
		return numbers(accept, reject)
	case "enum":
		part.Enum = slices.DeleteFunc(slices.Clone(accept.Enum), func(one apiextensionsv1.JSON) bool {
			return slices.ContainsFunc(reject.Enum, func(other apiextensionsv1.JSON) bool { return string(other.Raw) == string(one.Raw) })
		})
	default:
		least, most := sizeBounds(&part, kind)
		if least == nil {
			return nil
		}
		size, _ := rejectedSize(reject, kind)
		*least, *most = size, size
	}
	return []*props{&part}
}

// sizeBounds returns the two bounds of the kind of size that a keyword limits; nil for other
// keywords.
func sizeBounds(s *props, kind string) (least, most **int64) {
	switch kind {
	case "minLength", "maxLength":
		return &s.MinLength, &s.MaxLength
	case "minItems", "maxItems":
		return &s.MinItems, &s.MaxItems
	case "minProperties", "maxProperties":
		return &s.MinProperties, &s.MaxProperties
	}
	return nil, nil
}

// rejectedSize returns the size just beyond the bound of a keyword, and whether a value can have
// it.
func rejectedSize(s *props, kind string) (*int64, bool) {
	least, most := sizeBounds(s, kind)
	bound, by := least, int64(-1)
	if strings.HasPrefix(kind, "max") {
		bound, by = most, 1
	}
	if bound == nil || *bound == nil {
		return nil, false
	}
	return new(max(0, **bound+by)), **bound+by >= 0
}

// numbers returns schemas of the numbers at and beside the bounds of both.
func numbers(accept, reject *props) []*props {
	var all []*props
	for _, bound := range []*float64{reject.Maximum, reject.Minimum, accept.Maximum, accept.Minimum, reject.MultipleOf, accept.MultipleOf} {
		if bound == nil {
			continue
		}
		for _, by := range []float64{0, 1, -1, 0.5, -0.5} {
			number := *bound + by
			if accept.Type == "integer" && number != float64(int64(number)) {
				continue
			}
			part := *accept
			part.Minimum, part.Maximum, part.ExclusiveMinimum, part.ExclusiveMaximum = &number, &number, false, false
			all = append(all, &part)
		}
	}
	return all
}
