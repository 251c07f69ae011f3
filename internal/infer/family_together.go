package infer

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// mostCombined bounds the fields of items of which three may be unique together.
const mostCombined = 6

// uniqueTogether returns the conditions that two items of a list are equal in several fields, where a field that both lack is equal
// too, as in "the combination of port, protocol and hostname": two and three fields, if one may be missing, and three that are
// required.
func (s *facts) uniqueTogether(p place, item *spec.Schema, names []string, tries []try) (all []condition) {
	r := s.refOf(p)
	for _, keys := range combined(names[:min(len(names), mostCombined)]) {
		optional := slices.ContainsFunc(keys, func(key string) bool { return isOptional(item, key) })
		if !optional && len(keys) < 3 {
			continue // see duplicates
		}
		var same []string
		for _, key := range keys {
			is := "x.%[1]s == y.%[1]s"
			if isOptional(item, key) { // x.?a == y.?a would cost more than the API server allows
				is = "has(x.%[1]s) == has(y.%[1]s) && (!has(x.%[1]s) || x.%[1]s == y.%[1]s)"
			}
			same = append(same, fmt.Sprintf(is, key))
		}
		good := fmt.Sprintf("%[1]s.all(x, %[1]s.exists_one(y, %[2]s))", r.access, strings.Join(same, " && "))
		all = append(all, condition{
			expr: r.and(negated(good)), rule: r.or(good), weight: 2 + 2*len(keys), about: p, fields: []place{p},
			tries: append(slices.Clip(tries), s.unequal(p, keys)...), leaf: s.leafOf(r, good, nil),
		})
	}
	return all
}

// combined returns all sets of one, two and three names.
func combined(names []string) (all [][]string) {
	for i, one := range names {
		all = append(all, []string{one})
		for j, second := range names[i+1:] {
			all = append(all, []string{one, second})
			for _, third := range names[i+1+j+1:] {
				all = append(all, []string{one, second, third})
			}
		}
	}
	return all
}

// unequal returns lists of two items of accepted objects that are equal in some fields alone, and in all of them but one.
func (s *facts) unequal(p place, keys []string) (all []try) {
	for _, item := range s.itemKinds(p) {
		fields, is := item.(map[string]any)
		if !is {
			continue
		}
		alone := withOthers(fields, func(name string) bool { return !slices.Contains(keys, name) })
		all = append(all, try{{field: p, to: []any{item, alone}}})
		for _, key := range keys {
			if fields[key] != nil {
				other := withOthers(alone, func(name string) bool { return name == key })
				all = append(all, try{{field: p, to: []any{item, other}}})
			}
		}
	}
	return all
}

// withOthers returns an object with other values of some fields: texts and numbers.
func withOthers(fields map[string]any, isOther func(name string) bool) map[string]any {
	out := map[string]any{}
	for name, value := range fields {
		if out[name] = value; isOther(name) {
			out[name] = numbered(value, 1)
		}
	}
	return out
}
