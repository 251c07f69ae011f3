package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

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
	add := func(keys []string, required, foldCase bool, tries []Try) Condition {
		good := uniqueItems(r.Access, item, keys, foldCase)
		weight := 3 + 2*max(0, len(keys)-1)
		if foldCase {
			weight++
		}
		c := r.condition(weight, Negated(good), good, tries)
		var keywords map[string]any
		if declared, _ := openapi.ReadExtensions(s.SchemaAt(p), nil); declared.ListType == nil && required && !foldCase {
			keywords = map[string]any{openapi.XListType: "set"}
			if len(keys) > 0 {
				keywords = map[string]any{openapi.XListType: "map", openapi.XListMapKeys: stringsAsValues(keys)}
			}
		}
		c.Leaf = leafOf(s, r, good, keywords)
		return c
	}
	tries := append(duplicated(s, p), repeated(s, p)...)
	all := []Condition{add(nil, KindOf(item) != Object && KindOf(item) != List && KindOf(item) != Mapping, false, tries)}
	if KindOf(item) == Text {
		all = append(all, add(nil, false, true, tries))
	}
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
		all = append(all, add([]string{key}, isKey(key), false, tries))
		if child := item.Properties[key]; KindOf(&child) == Text {
			all = append(all, add([]string{key}, false, true, tries))
		}
		for _, second := range scalars[i+1:] {
			all = append(all, add([]string{key, second}, isKey(key, second), false, tries))
		}
	}
	all = append(all, uniqueTogether(s, p, item, scalars, tries)...)
	return append(all, repeatable(s, p, item, tries)...)
}

// uniqueItems returns the rule that no two items of a list have equal keys; without keys, that no two are equal.
func uniqueItems(list string, item *spec.Schema, keys []string, foldCase bool) string {
	if foldCase {
		return uniqueFolded(list, item, keys)
	}
	var same, hasX, hasY []string
	for _, key := range keys {
		same = append(same, "x."+key+" == y."+key)
		if isOptional(item, key) {
			hasX, hasY = append(hasX, "!has(x."+key+")"), append(hasY, "has(y."+key+")")
		}
	}
	if len(keys) == 0 {
		same = []string{"x == y"}
	}
	equalItems := strings.Join(same, " && ")
	if len(hasX) == 0 {
		return fmt.Sprintf("%[1]s.all(x, %[1]s.exists_one(y, %[2]s))", list, equalItems)
	}
	// Items without the key are no duplicates.
	return fmt.Sprintf("%[1]s.all(x, %[3]s || %[1]s.exists_one(y, %[4]s && %[2]s))", list, equalItems,
		strings.Join(hasX, " || "), strings.Join(hasY, " && "))
}

// uniqueFolded returns the same without the case of letters. Each text is folded before it is compared with all others,
// which costs half as much.
func uniqueFolded(list string, item *spec.Schema, keys []string) string {
	key, have := "", list
	if len(keys) > 0 {
		key = "." + keys[0]
		if isOptional(item, keys[0]) {
			have = fmt.Sprintf("%s.filter(x, has(x%s))", list, key)
		}
	}
	return fmt.Sprintf("%[1]s.map(x, x%[2]s.lowerAscii()).all(x, %[1]s.exists_one(y, y%[2]s.lowerAscii() == x))", have, key)
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

// mostItems bounds the items of accepted lists that are combined.
const mostItems = 7

// itemPairs returns lists of two items of accepted objects: what is accepted alone may not be together.
func itemPairs(s *Facts, p evidence.Place) []Try {
	some := itemKinds(s, p)
	var all []Try
	for i, one := range some {
		for _, other := range some[i+1:] {
			all = append(all, Try{{Field: p, To: []any{one, other}}})
		}
	}
	return all
}

// itemKinds returns items of accepted objects that look different.
func itemKinds(s *Facts, p evidence.Place) []any {
	return s.Evidence.AcceptedAt(slices.Concat(s.Scope, p, evidence.Place{evidence.AnyItem}), mostItems, func(value any) string {
		fields, _ := value.(map[string]any)
		if len(fields) == 0 {
			return ""
		}
		return fmt.Sprint(fields["type"], fields["kind"], fields["name"], evidence.SortedKeys(fields))
	})
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
