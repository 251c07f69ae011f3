package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/openapi"
)

// duplicates returns the conditions that items of a list are equal, or have equal keys.
func duplicates(s *Facts, p evidence.Place) []Condition {
	if s.KindOf(p) != List {
		return nil
	}
	r := s.RefOf(p)
	item := s.SchemaAt(p.Below(evidence.AnyItem))
	if item == nil {
		return nil
	}
	tries := append(duplicated(s, p), repeated(s, p)...)
	add := func(required bool, keys ...string) Condition {
		good := uniqueItems(r.Access, item, keys)
		c := r.condition(3+2*max(0, len(keys)-1), celexpr.Not(good), good, tries)
		var keywords map[string]any
		if declared, _ := openapi.ReadExtensions(s.SchemaAt(p), nil); declared.ListType == nil && required {
			keywords = map[string]any{openapi.XListType: "set"}
			if len(keys) > 0 {
				keywords = map[string]any{openapi.XListType: "map", openapi.XListMapKeys: stringsAsValues(keys)}
			}
		}
		c.Leaf = leafOf(s, r, good, keywords)
		return c
	}
	all := []Condition{add(KindOf(item) != Object && KindOf(item) != List && KindOf(item) != Mapping)}
	var scalars []string
	for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
		child := item.Properties[name]
		if k := KindOf(&child); (k == Text || k == Whole) && len(scalars) < 8 {
			scalars = append(scalars, name)
		}
	}
	isKey := func(keys ...string) bool {
		for _, key := range keys {
			if isOptional(item, key) {
				return false
			}
		}
		return true
	}
	for i, key := range scalars {
		all = append(all, add(isKey(key), key))
		for _, second := range scalars[i+1:] {
			all = append(all, add(isKey(key, second), key, second))
		}
	}
	return all
}

// uniqueItems returns the rule that no two items of a list have equal keys; without keys, that no two are equal.
func uniqueItems(list celexpr.Expr, item *spec.Schema, keys []string) celexpr.Expr {
	x, y := celexpr.Name("x"), celexpr.Name("y")
	var lacksX, same []celexpr.Expr // items without a key are no duplicates
	for _, key := range keys {
		if isOptional(item, key) {
			lacksX, same = append(lacksX, celexpr.Not(celexpr.Has(celexpr.Field(x, key)))), append(same, celexpr.Has(celexpr.Field(y, key)))
		}
	}
	for _, key := range keys {
		equal, _ := equals(celexpr.Field(x, key), celexpr.Field(y, key))
		same = append(same, equal)
	}
	if len(keys) == 0 {
		equal, _ := equals(x, y)
		same = []celexpr.Expr{equal}
	}
	isOne := celexpr.Method(list, operators.ExistsOne, y, celexpr.And(same...))
	return celexpr.Method(list, operators.All, x, celexpr.Or(append(lacksX, isOne)...))
}

// isOptional reports whether an object of a schema may lack a field.
func isOptional(object *spec.Schema, name string) bool {
	return !slices.Contains(object.Required, name) && object.Properties[name].Default == nil
}

func stringsAsValues(of []string) []any {
	var all []any
	for _, text := range of {
		all = append(all, text)
	}
	return all
}

// duplicated returns lists whose items are equal, and equal in all fields but one, or only in one.
func duplicated(s *Facts, p evidence.Place) []Try {
	like, _ := s.value(p).([]any)
	if len(like) == 0 {
		like, _ = s.made(p).([]any)
	}
	if len(like) == 0 {
		if item := s.made(p.Below(evidence.AnyItem)); item != nil {
			like = []any{item}
		}
	}
	if len(like) == 0 {
		return nil
	}
	first := like[0]
	all := []Try{{{Field: p, To: []any{first, first}}}, {{Field: p, To: resized(like, 2)}}, {{Field: p, To: []any{first}}}}
	if text, isText := first.(string); isText { // equal except for the case of letters
		all = append(all, Try{{Field: p, To: []any{text + "a", text + "A"}}})
	}
	fields, is := first.(map[string]any)
	if !is {
		return all
	}
	for _, name := range evidence.SortedKeys(fields) {
		changed := Numbered(fields[name], 1)
		if evidence.Equal(changed, fields[name]) {
			continue
		}
		if text, isText := fields[name].(string); isText { // equal except for the case of letters
			folded := maps.Clone(fields)
			folded[name] = strings.ToUpper(text)
			all = append(all, Try{{Field: p, To: []any{fields, folded}}})
		}
		other, alone := maps.Clone(fields), maps.Clone(fields)
		other[name] = changed
		for _, rest := range evidence.SortedKeys(fields) {
			if rest != name {
				alone[rest] = Numbered(fields[rest], 2)
			}
		}
		all = append(all, Try{{Field: p, To: []any{fields, other}}}, Try{{Field: p, To: []any{fields, alone}}})
	}
	return all
}

// repeated returns lists in which an item of an accepted object is twice, of each kind of them.
func repeated(s *Facts, p evidence.Place) (all []Try) {
	for _, item := range itemKinds(s, p) {
		all = append(all, Try{{Field: p, To: []any{item, item}}})
	}
	return all
}
