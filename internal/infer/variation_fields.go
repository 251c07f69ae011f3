package infer

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/explore"
)

// variations returns other values of the fields of the object, the first of each field first.
func (v *varying) variations(h *hypothesis) []variation {
	f := &variedFields{varying: v, numbers: v.numbersOf(h)}
	root := v.evidence.target.Document.Root
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		child := root.Properties[name]
		value, has := v.base.Object[name]
		switch {
		case v.requests != nil && (name == fieldOldObject && !v.requests.deletes || name == fieldRequest):
		case v.requests == nil && (name == "apiVersion" || name == "kind" || name == "metadata" || name == "status" && !v.about("status")):
		case v.requests != nil && has:
			f.fields(&child, place{name}, steps{name}, value)
		default:
			f.visit(&child, place{name}, steps{name}, value, has)
		}
	}
	f.metadata()
	// Those nearest to what the objects have come first.
	slices.SortStableFunc(f.axes, func(a, b fieldAxis) int {
		return cmp.Or(boolRank(a.known)-boolRank(b.known), len(a.path)-len(b.path))
	})
	v.out.Left = max(v.out.Left, len(f.axes)-mostAxes)
	var all []variation
	for round := range mostOfVaried {
		for n, axis := range f.axes[:min(len(f.axes), mostAxes)] {
			if round < len(axis.values) {
				all = append(all, variation{n, axis.at, axis.path, axis.values[round]})
			}
		}
	}
	return all
}

// reads reports whether a hypothesis reads a field at a place, or in it.
func (h *hypothesis) reads(at place) bool {
	return slices.ContainsFunc(h.parts, func(part *condition) bool {
		return slices.ContainsFunc(part.fields, func(field place) bool { return at.has(slices.Concat(h.subject.scope, field)) })
	})
}

// numbersOf returns the numbers beside those that a hypothesis reads in the object.
func (v *varying) numbersOf(h *hypothesis) (all []any) {
	for _, r := range v.universe.rowsOf(v.base) {
		for _, part := range h.parts {
			for _, field := range part.fields {
				value, _ := field.names().at(r.self)
				if n, is := value.(int64); is {
					all = append(all, n+1, n, n-1)
				}
			}
		}
	}
	return all
}

// fieldAxis is a field with other values.
type fieldAxis struct {
	at     place
	path   steps
	values []any
	known  bool // it is set, or accepted objects have it
}

// variedFields collects the fields of an object with other values.
type variedFields struct {
	*varying
	numbers []any
	axes    []fieldAxis
}

// visit adds a field, and those in it.
func (f *variedFields) visit(schema *spec.Schema, at place, path steps, value any, has bool) {
	accepted := f.acceptedAt(at, mostVariedBases+1, func(value any) string {
		if list, isList := value.([]any); isList {
			return strconv.Itoa(len(list))
		}
		data, _ := json.Marshal(value)
		return string(data)
	})
	axis := fieldAxis{at: at, path: path, known: has || len(accepted) > 0}
	add := func(values ...any) {
		for _, to := range values {
			isKnown := to == nil || has && equal(to, value) || slices.ContainsFunc(axis.values, func(o any) bool { return equal(o, to) })
			if !isKnown && len(axis.values) < mostOfVaried {
				axis.values = append(axis.values, to)
			}
		}
	}
	switch k := kindOf(schema); k {
	case whole, number:
		f.addNumbers(schema, value, accepted, add)
	case boolean:
		add(value != true, value == true)
	case list:
		f.addLists(schema, at, path, value, add)
		add(accepted...)
	case text:
		add(schema.Enum...)
		add(accepted...)
		add(usualTexts()...)
	case object, mapping:
		if has {
			f.fields(schema, at, path, value)
		}
		add(accepted...)
	default:
		add(accepted...)
	}
	if _, isItem := path[len(path)-1].(int); has && !isItem {
		add(absence{})
	} else if !has && len(axis.values) == 0 {
		add(f.evidence.madeAt(at))
	}
	f.axes = append(f.axes, axis)
}

// usualTexts are texts of the forms that validators most often ask for. Objects may have no text that is accepted.
func usualTexts() []any { return []any{"10.0.0.1", "a.b", "1", "https://a.b", "1h", "10.0.0.0/8"} }

// addNumbers adds numbers beside those that the hypothesis reads, those of accepted objects, and those at bounds.
func (f *variedFields) addNumbers(schema *spec.Schema, value any, accepted []any, add func(...any)) {
	add(f.numbers[:min(len(f.numbers), 3)]...)
	if n, is := value.(int64); is {
		add(n + 1)
	}
	add(accepted[:min(len(accepted), 2)]...)
	for _, bound := range []*float64{schema.Maximum, schema.Minimum} {
		if bound != nil {
			add(jsonNumber(*bound))
		}
	}
	add(int64(100), int64(1), int64(0))
}

// addLists adds lists with one item more or less, and visits the first items and the last one.
func (f *variedFields) addLists(schema *spec.Schema, at place, path steps, value any, add func(...any)) {
	all, _ := value.([]any)
	if len(all) == 0 {
		return
	}
	add(append(slices.Clone(all), numbered(all[len(all)-1], len(all))), all[:len(all)-1])
	item := schemaBelow(schema, anyItem)
	for n := range all {
		if item != nil && (n < 2 || n == len(all)-1) && kindOf(item) != text {
			f.visit(item, at.below(anyItem), path.and(n), all[n], true)
		}
	}
}

// fields visits the fields of an object, or the first entries of a map.
func (f *variedFields) fields(schema *spec.Schema, at place, path steps, value any) {
	fields, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		child := schema.Properties[name]
		part, has := fields[name]
		f.visit(&child, at.below(name), path.and(name), part, has)
	}
	if entry := schemaBelow(schema, anyItem); len(schema.Properties) == 0 && entry != nil {
		for _, key := range sortedKeys(fields)[:min(len(fields), 2)] {
			f.visit(entry, at.below(anyItem), path.and(key), fields[key], true)
		}
	}
}

// metadata adds labels and annotations: all of them, and each that an object or the text of the error has, with other values.
func (f *variedFields) metadata() {
	if f.requests != nil {
		return
	}
	for _, name := range []string{"labels", "annotations"} {
		at, path := place{"metadata", name}, steps{"metadata", name}
		value, has := path.at(f.base.Object)
		f.visit(&spec.Schema{}, at, path, value, has)
		keys := map[string]any{}
		for _, known := range f.acceptedAt(at, mostKeys, func(value any) string { return keyOf(explore.Input{Object: map[string]any{name: value}}) }) {
			fields, _ := known.(map[string]any)
			maps.Copy(keys, fields)
		}
		for _, word := range slices.Concat(f.quoted, f.site.constants.Words) {
			if len(validation.IsQualifiedName(word)) == 0 {
				keys[word] = ""
			}
		}
		for _, key := range sortedKeys(keys)[:min(len(keys), mostKeys)] {
			was, _ := path.and(key).at(f.base.Object)
			axis := fieldAxis{at: at.below(key), path: path.and(key)}
			for _, to := range []any{"", "true", "false", keys[key], "1"} {
				if !equal(to, was) && !slices.ContainsFunc(axis.values, func(o any) bool { return equal(o, to) }) {
					axis.values = append(axis.values, to)
				}
			}
			f.axes = append(f.axes, axis)
		}
	}
}
