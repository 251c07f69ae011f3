package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// duplicates returns the conditions that items of a list are equal, or have equal keys.
func (s *facts) duplicates(p place) []condition {
	if s.kindOf(p) != list {
		return nil
	}
	r := s.refOf(p)
	item := s.schemaAt(p.below(anyItem))
	if item == nil {
		return nil
	}
	add := func(keys []string, required, foldCase bool, tries []try) condition {
		good := uniqueItems(r.access, item, keys, foldCase)
		weight := 3 + 2*max(0, len(keys)-1)
		if foldCase {
			weight++
		}
		c := condition{expr: r.and(negated(good)), rule: r.or(good), weight: weight, about: p, fields: []place{p}, tries: tries}
		var keywords map[string]any
		if declared, _ := openapi.ReadExtensions(s.schemaAt(p), nil); declared.ListType == nil && required && !foldCase {
			keywords = map[string]any{openapi.XListType: "set"}
			if len(keys) > 0 {
				keywords = map[string]any{openapi.XListType: "map", openapi.XListMapKeys: stringsAsValues(keys)}
			}
		}
		c.leaf = s.leafOf(r, good, keywords)
		return c
	}
	tries := append(s.duplicated(p), s.repeated(p)...)
	all := []condition{add(nil, kindOf(item) != object && kindOf(item) != list && kindOf(item) != mapping, false, tries)}
	if kindOf(item) == text {
		all = append(all, add(nil, false, true, tries))
	}
	var scalars []string
	for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
		child := item.Properties[name]
		if k := kindOf(&child); (k == text || k == whole) && len(scalars) < 8 {
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
		if child := item.Properties[key]; kindOf(&child) == text {
			all = append(all, add([]string{key}, false, true, tries))
		}
		for _, second := range scalars[i+1:] {
			all = append(all, add([]string{key, second}, isKey(key, second), false, tries))
		}
	}
	all = append(all, s.uniqueTogether(p, item, scalars, tries)...)
	return append(all, s.repeatable(p, item, tries)...)
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
	return fmt.Sprintf("%[1]s.all(x, %[3]s || %[1]s.exists_one(y, %[4]s && %[2]s))", list, equalItems, strings.Join(hasX, " || "), strings.Join(hasY, " && "))
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
func (s *facts) itemPairs(p place) []try {
	some := s.itemKinds(p)
	var all []try
	for i, one := range some {
		for _, other := range some[i+1:] {
			all = append(all, try{{field: p, to: []any{one, other}}})
		}
	}
	return all
}

// itemKinds returns items of accepted objects that look different.
func (s *facts) itemKinds(p place) []any {
	return s.evidence.acceptedAt(slices.Concat(s.scope, p, place{anyItem}), mostItems, func(value any) string {
		fields, _ := value.(map[string]any)
		if len(fields) == 0 {
			return ""
		}
		return fmt.Sprint(fields["type"], fields["kind"], fields["name"], sortedKeys(fields))
	})
}

// duplicated returns lists whose items are equal, and equal in all fields but one, or only in one.
func (s *facts) duplicated(p place) []try {
	like, _ := s.value(p).([]any)
	if len(like) == 0 {
		like, _ = s.made(p).([]any)
	}
	if len(like) == 0 {
		if item := s.made(p.below(anyItem)); item != nil {
			like = []any{item}
		}
	}
	if len(like) == 0 {
		return nil
	}
	first := like[0]
	all := []try{{{field: p, to: []any{first, first}}}, {{field: p, to: resized(like, 2)}}, {{field: p, to: []any{first}}}}
	if text, isText := first.(string); isText { // equal but for the case of letters
		all = append(all, try{{field: p, to: []any{text + "a", text + "A"}}})
	}
	fields, is := first.(map[string]any)
	if !is {
		return all
	}
	for _, name := range sortedKeys(fields) {
		changed := numbered(fields[name], 1)
		if equal(changed, fields[name]) {
			continue
		}
		if text, isText := fields[name].(string); isText { // equal but for the case of letters
			folded := maps.Clone(fields)
			folded[name] = strings.ToUpper(text)
			all = append(all, try{{field: p, to: []any{fields, folded}}})
		}
		other, alone := maps.Clone(fields), maps.Clone(fields)
		other[name] = changed
		for _, rest := range sortedKeys(fields) {
			if rest != name {
				alone[rest] = numbered(fields[rest], 2)
			}
		}
		all = append(all, try{{field: p, to: []any{fields, other}}}, try{{field: p, to: []any{fields, alone}}})
	}
	return all
}
