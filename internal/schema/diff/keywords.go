package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// keyword compares a keyword of two schemas.
type keyword struct {
	name    string
	compare func(w *walker, a, b *spec.Schema, path string)
}

// keywords returns the keywords whose changes are described. The function rest compares all others.
func keywords() []keyword {
	return []keyword{
		{"type", compareTypes},
		{"nullable", compareNullable},
		{openapi.XIntOrString, nothing}, // a type
		{openapi.XEmbeddedResource, compareEmbedded},
		{"uniqueItems", flag("uniqueItems", Narrower, func(s *spec.Schema) bool { return s.UniqueItems })},
		{"maxLength", sizes("maxLength")},
		{"minLength", sizes("minLength")},
		{"maxItems", sizes("maxItems")},
		{"minItems", sizes("minItems")},
		{"maxProperties", sizes("maxProperties")},
		{"minProperties", sizes("minProperties")},
		{"maximum", bounds("maximum")},
		{"minimum", bounds("minimum")},
		{"exclusiveMaximum", flag("exclusiveMaximum", Narrower,
			func(s *spec.Schema) bool { return s.ExclusiveMaximum && s.Maximum != nil })},
		{"exclusiveMinimum", flag("exclusiveMinimum", Narrower,
			func(s *spec.Schema) bool { return s.ExclusiveMinimum && s.Minimum != nil })},
		{"pattern", text("pattern", func(s *spec.Schema) string { return s.Pattern })},
		{"format", compareFormat},
		{"required", compareRequired},
		{"enum", compareEnum},
		{"default", compareDefault},
		{openapi.XListType, compareListType},
		{openapi.XValidations, compareRules},
	}
}

// compareTypes compares the kinds of JSON values that are accepted.
func compareTypes(w *walker, a, b *spec.Schema, path string) {
	from, to := typeName(a), typeName(b)
	if from == to {
		return
	}
	more, fewer := missing(kindsOf(to), kindsOf(from)), missing(kindsOf(from), kindsOf(to))
	effect := Other
	switch {
	case len(more)+len(fewer) == 0:
		return // in a different order
	case len(fewer) == 0:
		effect = Wider
	case len(more) == 0:
		effect = Narrower
	}
	w.add(effect, path, fmt.Sprintf("type %s → %s", from, to))
}

func typeName(s *spec.Schema) string {
	switch {
	case extension(openapi.XIntOrString)(s):
		return "integer or string"
	case len(s.Type) == 0:
		return "any"
	}
	return strings.Join(s.Type, " or ")
}

// kindsOf returns the kinds of values of a type.
func kindsOf(name string) []any {
	if name == "any" {
		name = "integer or number or string or boolean or array or object or null"
	}
	var kinds []any
	for _, kind := range strings.Split(name, " or ") {
		kinds = append(kinds, kind)
		if kind == "number" {
			kinds = append(kinds, "integer")
		}
	}
	return kinds
}

// flag compares a boolean keyword. effect is the effect of setting it.
func flag(name string, effect Effect, of func(*spec.Schema) bool) func(*walker, *spec.Schema, *spec.Schema, string) {
	return func(w *walker, a, b *spec.Schema, path string) {
		switch {
		case of(a) == of(b):
		case of(b):
			w.add(effect, path, name)
		default:
			w.add(opposite(effect), path, "no longer "+name)
		}
	}
}

// compareNullable compares nullable. A null that is not allowed is dropped, which is an error for
// items and required fields, and lets a default apply. No enum accepts null.
func compareNullable(w *walker, a, b *spec.Schema, path string) {
	if a.Nullable == b.Nullable {
		return
	}
	with, without, effect := b, a, Wider
	if a.Nullable {
		with, without, effect = a, b, Narrower
	}
	leftOut := w.missing || without.Default != nil || strings.HasSuffix(path, "*")
	switch {
	case len(with.Enum) > 0 && !leftOut:
		return // both refuse null
	case len(with.Enum) > 0:
		effect = opposite(effect)
	case w.optional && a.Default == nil && b.Default == nil:
		return
	}
	if w.nullSeen {
		effect = Other
	}
	what := "nullable"
	if a.Nullable {
		what = "no longer nullable"
	}
	w.add(effect, path, what)
}

// compareEmbedded compares whether a value is an object of its own, which requires and keeps its apiVersion, kind and
// metadata. Without that, those that are not declared are unknown fields.
func compareEmbedded(w *walker, a, b *spec.Schema, path string) {
	embedded, without, effect, what := b, a, Narrower, openapi.XEmbeddedResource
	if extension(openapi.XEmbeddedResource)(a) {
		embedded, without, effect, what = a, b, Wider, "no longer "+openapi.XEmbeddedResource
	}
	if !extension(openapi.XEmbeddedResource)(embedded) || extension(openapi.XEmbeddedResource)(without) {
		return
	}
	for name := range metaFields {
		if _, declared := without.Properties[name]; !declared && !open(without) && openapi.Additional(without) == nil {
			effect = Other
		}
	}
	w.add(effect, path, what)
}

func opposite(effect Effect) Effect {
	switch effect {
	case Wider:
		return Narrower
	case Narrower:
		return Wider
	}
	return effect
}

func extension(name string) func(*spec.Schema) bool {
	return func(s *spec.Schema) bool {
		set, _ := s.Extensions[name].(bool)
		return set
	}
}

// nothing does nothing, because another keyword covers this one.
func nothing(*walker, *spec.Schema, *spec.Schema, string) {}

// sizes and bounds compare the bounds that a keyword sets.
func sizes(name string) func(*walker, *spec.Schema, *spec.Schema, string) {
	k, _ := openapi.KeywordNamed(name)
	return bound(name, func(s *spec.Schema) *int64 { return *k.Size(s) })
}

func bounds(name string) func(*walker, *spec.Schema, *spec.Schema, string) {
	k, _ := openapi.KeywordNamed(name)
	return bound(name, func(s *spec.Schema) *float64 { return *k.Number(s) })
}

// bound compares an upper bound (max…) or a lower one.
func bound[N cmp.Ordered](name string, of func(*spec.Schema) *N) func(*walker, *spec.Schema, *spec.Schema, string) {
	effect := Wider // of a smaller bound
	if strings.HasPrefix(name, "max") {
		effect = Narrower
	}
	return func(w *walker, a, b *spec.Schema, path string) {
		from, to := of(a), of(b)
		switch {
		case from == nil && to == nil:
		case from == nil:
			w.add(Narrower, path, fmt.Sprintf("%s %v", name, *to))
		case to == nil:
			w.add(Wider, path, fmt.Sprintf("no %s, it was %v", name, *from))
		case *to < *from:
			w.add(effect, path, fmt.Sprintf("%s %v → %v", name, *from, *to))
		case *to > *from:
			w.add(opposite(effect), path, fmt.Sprintf("%s %v → %v", name, *from, *to))
		}
	}
}

// text compares a keyword about the form of strings, such as a pattern. Which of two values accepts
// more is unknown.
func text(name string, of func(*spec.Schema) string) func(*walker, *spec.Schema, *spec.Schema, string) {
	return func(w *walker, a, b *spec.Schema, path string) {
		from, to := of(a), of(b)
		switch {
		case from == to:
		case from == "":
			w.add(Narrower, path, fmt.Sprintf("%s %s", name, to))
		case to == "":
			w.add(Wider, path, fmt.Sprintf("no %s, it was %s", name, from))
		default:
			w.add(Unknown, path, fmt.Sprintf("%s %s → %s", name, from, to))
		}
	}
}

// compareFormat compares the formats that are validated.
func compareFormat(w *walker, a, b *spec.Schema, path string) {
	effective := w.semantics.EffectiveFormat
	if from, to := effective(a), effective(b); strings.ReplaceAll(from, "-", "") != strings.ReplaceAll(to, "-", "") {
		text("format", effective)(w, a, b, path)
	}
}

func compareRequired(w *walker, a, b *spec.Schema, path string) {
	same := stable(a, b, w.a, w.b, nil)
	must := func(name string) *spec.Schema {
		return &spec.Schema{SchemaProps: spec.SchemaProps{Required: []string{name}}}
	}
	defaulted := func(s *spec.Schema, name string) bool { return s.Properties[name].Default != nil }
	for _, name := range slices.Sorted(slices.Values(b.Required)) {
		if !slices.Contains(a.Required, name) && !defaulted(b, name) && (!same || w.narrows(must(name), b) && !hasByRule(w.ofA(a), name)) {
			w.addKind(field.ErrorTypeRequired, Narrower, join(path, name), "required")
		}
	}
	for _, name := range slices.Sorted(slices.Values(a.Required)) {
		if !slices.Contains(b.Required, name) && !defaulted(a, name) && (!same || w.widens(must(name), a) && !hasByRule(w.ofB(b), name)) {
			w.addKind(field.ErrorTypeRequired, Wider, join(path, name), "no longer required")
		}
	}
}

func compareEnum(w *walker, a, b *spec.Schema, path string) {
	switch {
	case len(a.Enum) == 0 && len(b.Enum) == 0:
		return
	case len(a.Enum) == 0:
		w.addKind(field.ErrorTypeNotSupported, Narrower, path, "enum "+asJSON(b.Enum))
		return
	case len(b.Enum) == 0:
		w.addKind(field.ErrorTypeNotSupported, Wider, path, "no enum, it was "+asJSON(a.Enum))
		return
	}
	if more := missing(b.Enum, a.Enum); len(more) > 0 {
		w.addKind(field.ErrorTypeNotSupported, Wider, path, "enum has also "+asJSON(more))
	}
	if less := missing(a.Enum, b.Enum); len(less) > 0 {
		w.addKind(field.ErrorTypeNotSupported, Narrower, path, "enum no longer has "+asJSON(less))
	}
}

// missing returns the values of one list that another list lacks.
func missing(from, in []any) []any {
	there := make(map[string]bool, len(in))
	for _, value := range in {
		there[asJSON(value)] = true
	}
	return slices.DeleteFunc(slices.Clone(from), func(value any) bool { return there[asJSON(value)] })
}

func compareListType(w *walker, a, b *spec.Schema, path string) {
	from, to := listType(a), listType(b)
	switch {
	case from == to:
	case from == "atomic":
		w.addKind(field.ErrorTypeDuplicate, Narrower, path, "x-kubernetes-list-type "+to)
	case to == "atomic":
		w.addKind(field.ErrorTypeDuplicate, Wider, path, "no x-kubernetes-list-type, it was "+from)
	default:
		w.addKind(field.ErrorTypeDuplicate, Other, path, fmt.Sprintf("x-kubernetes-list-type %s → %s", from, to))
	}
}

func listType(s *spec.Schema) string {
	name, _ := s.Extensions[openapi.XListType].(string)
	switch name {
	case "":
		return "atomic"
	case "map":
		return name + " " + asJSON(sorted(s.Extensions[openapi.XListMapKeys]))
	}
	return name
}

// sorted returns the keys of items in a fixed order, because their order has no meaning.
func sorted(keys any) any {
	list, isList := keys.([]any)
	if !isList {
		return keys
	}
	return slices.SortedFunc(slices.Values(list), func(a, b any) int { return cmp.Compare(asJSON(a), asJSON(b)) })
}

// rest compares all keywords that the table does not list.
func (w *walker) rest(a, b *spec.Schema, path string) {
	before, after := unnamed(a), unnamed(b)
	for _, name := range slices.Sorted(maps.Keys(union(before, after))) {
		if !reflect.DeepEqual(before[name], after[name]) {
			w.kind = name
			w.proving(name, a, b, path, func() {
				w.add(Unknown, path, fmt.Sprintf("%s %s → %s", name, shorten(before[name]), shorten(after[name])))
			})
		}
	}
}

func union(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func shorten(value any) string {
	const most = 100
	if value == nil {
		return "none"
	}
	text := []rune(asJSON(value))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return string(text)
}

func asJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
