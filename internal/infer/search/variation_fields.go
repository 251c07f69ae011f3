package search

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/object"
)

// variations returns other values of the fields of the object, the first of each field first.
func (v *varying) variations(h *Hypothesis) []variation {
	f := &variedFields{varying: v, numbers: v.numbersOf(h)}
	root := v.subject.Facts.Evidence.Target.Document.Root
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		child := root.Properties[name]
		value, has := v.base.Object[name]
		switch {
		case v.subject.Facts.Evidence.Requests != nil &&
			(name == evidence.FieldOldObject && !v.subject.Facts.Evidence.Requests.Deletes || name == evidence.FieldRequest):
		case v.subject.Facts.Evidence.Requests == nil && (name == "apiVersion" || name == "kind" || name == "metadata" ||
			name == "status" && !v.subject.Facts.About("status")):
		case v.subject.Facts.Evidence.Requests != nil && has:
			f.fields(&child, evidence.Place{name}, object.Of(name), value)
		default:
			f.visit(&child, evidence.Place{name}, object.Of(name), value, has)
		}
	}
	f.metadata()
	// Those nearest to what the objects have come first.
	slices.SortStableFunc(f.axes, func(a, b fieldAxis) int {
		return cmp.Or(rules.BoolRank(a.known)-rules.BoolRank(b.known), len(a.path)-len(b.path))
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
func (h *Hypothesis) reads(at evidence.Place) bool {
	return slices.ContainsFunc(h.Parts, func(part *rules.Condition) bool {
		return slices.ContainsFunc(part.Fields,
			func(field evidence.Place) bool { return at.Has(slices.Concat(h.Subject.Facts.Scope, field)) })
	})
}

// numbersOf returns the numbers beside those that a hypothesis reads in the object.
func (v *varying) numbersOf(h *Hypothesis) (all []any) {
	for _, r := range v.universe.rowsOf(v.base) {
		for _, part := range h.Parts {
			for _, field := range part.Fields {
				value, _ := field.Path().Get(r.self)
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
	at     evidence.Place
	path   object.Path
	values []any
	known  bool // it is set, or accepted objects have it
}

// variedFields collects the fields of an object with other values.
type variedFields struct {
	varying *varying
	numbers []any
	axes    []fieldAxis
}

// visit adds a field, and those in it.
func (f *variedFields) visit(schema *spec.Schema, at evidence.Place, path object.Path, value any, has bool) {
	accepted := f.varying.subject.Facts.Evidence.AcceptedAt(at, mostVariedBases+1, func(value any) string {
		if list, isList := value.([]any); isList {
			return strconv.Itoa(len(list))
		}
		data, _ := json.Marshal(value)
		return string(data)
	})
	axis := fieldAxis{at: at, path: path, known: has || len(accepted) > 0}
	add := func(values ...any) {
		for _, to := range values {
			isKnown := to == nil || has && evidence.Equal(to, value) ||
				slices.ContainsFunc(axis.values, func(o any) bool { return evidence.Equal(o, to) })
			if !isKnown && len(axis.values) < mostOfVaried {
				axis.values = append(axis.values, to)
			}
		}
	}
	switch k := rules.KindOf(schema); k {
	case rules.Whole, rules.Number:
		f.addNumbers(schema, value, accepted, add)
	case rules.Boolean:
		add(value != true, value == true)
	case rules.List:
		f.addLists(schema, at, path, value, add)
		add(accepted...)
	case rules.Text:
		add(schema.Enum...)
		add(accepted...)
		add(usualTexts()...)
	case rules.Object, rules.Mapping:
		if has {
			f.fields(schema, at, path, value)
		}
		add(accepted...)
	default:
		add(accepted...)
	}
	if has && path[len(path)-1].Kind != object.Item {
		add(object.Absence{})
	} else if !has && len(axis.values) == 0 {
		add(f.varying.subject.Facts.Evidence.MadeAt(at))
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
			add(rules.JsonNumber(*bound))
		}
	}
	add(int64(100), int64(1), int64(0))
}

// addLists adds lists with one item more or less, and visits the first items and the last one.
func (f *variedFields) addLists(schema *spec.Schema, at evidence.Place, path object.Path, value any, add func(...any)) {
	all, _ := value.([]any)
	if len(all) == 0 {
		return
	}
	add(append(slices.Clone(all), rules.Numbered(all[len(all)-1], len(all))), all[:len(all)-1])
	item := evidence.SchemaBelow(schema, evidence.AnyItem)
	for n := range all {
		if item != nil && (n < 2 || n == len(all)-1) && rules.KindOf(item) != rules.Text {
			f.visit(item, at.Below(evidence.AnyItem), path.Item(n), all[n], true)
		}
	}
}

// fields visits the fields of an object, or the first entries of a map.
func (f *variedFields) fields(schema *spec.Schema, at evidence.Place, path object.Path, value any) {
	fields, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		child := schema.Properties[name]
		part, has := fields[name]
		f.visit(&child, at.Below(name), path.Field(name), part, has)
	}
	if entry := evidence.SchemaBelow(schema, evidence.AnyItem); len(schema.Properties) == 0 && entry != nil {
		for _, key := range evidence.SortedKeys(fields)[:min(len(fields), 2)] {
			f.visit(entry, at.Below(evidence.AnyItem), path.Key(key), fields[key], true)
		}
	}
}

// metadata adds labels and annotations: all of them, and each that an object or the text of the error has, with other values.
func (f *variedFields) metadata() {
	if f.varying.subject.Facts.Evidence.Requests != nil {
		return
	}
	for _, name := range []string{"labels", "annotations"} {
		at, path := evidence.Place{"metadata", name}, object.Of("metadata", name)
		value, has := path.Get(f.varying.base.Object)
		f.visit(&spec.Schema{}, at, path, value, has)
		keys := map[string]any{}
		for _, known := range f.varying.subject.Facts.Evidence.AcceptedAt(at, evidence.MostKeys,
			func(value any) string { return evidence.KeyOf(explore.Input{Object: map[string]any{name: value}}) }) {
			fields, _ := known.(map[string]any)
			maps.Copy(keys, fields)
		}
		for _, word := range slices.Concat(f.varying.subject.Facts.Quoted, f.varying.subject.Facts.Site.Constants.Words) {
			if len(validation.IsQualifiedName(word)) == 0 {
				keys[word] = ""
			}
		}
		for _, key := range evidence.SortedKeys(keys)[:min(len(keys), evidence.MostKeys)] {
			was, _ := path.Key(key).Get(f.varying.base.Object)
			axis := fieldAxis{at: at.Below(key), path: path.Key(key)}
			for _, to := range []any{"", "true", "false", keys[key], "1"} {
				if !evidence.Equal(to, was) && !slices.ContainsFunc(axis.values, func(o any) bool { return evidence.Equal(o, to) }) {
					axis.values = append(axis.values, to)
				}
			}
			f.axes = append(f.axes, axis)
		}
	}
}
