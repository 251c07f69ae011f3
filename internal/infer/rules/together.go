package rules

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// mostCombined bounds the fields of items of which three may be unique together.
const mostCombined = 6

// uniqueTogether returns the conditions that two items of a list are equal in several fields, where a field that both lack is equal
// too, as in "the combination of port, protocol and hostname": two and three fields, if one may be missing, and three that are
// required.
func uniqueTogether(s *Facts, p evidence.Place, item *spec.Schema, names []string, tries []Try) (all []Condition) {
	r := s.RefOf(p)
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
		good := fmt.Sprintf("%[1]s.all(x, %[1]s.exists_one(y, %[2]s))", r.Access, strings.Join(same, " && "))
		all = append(all, r.condition(2+2*len(keys), Negated(good), good, append(slices.Clip(tries), unequal(s, p, keys)...)).withLeaf(
			leafOf(s, r, good, nil)))
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
func unequal(s *Facts, p evidence.Place, keys []string) (all []Try) {
	for _, item := range itemKinds(s, p) {
		fields, is := item.(map[string]any)
		if !is {
			continue
		}
		alone := withOthers(fields, func(name string) bool { return !slices.Contains(keys, name) })
		all = append(all, Try{{Field: p, To: []any{item, alone}}})
		for _, key := range keys {
			if fields[key] != nil {
				other := withOthers(alone, func(name string) bool { return name == key })
				all = append(all, Try{{Field: p, To: []any{item, other}}})
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
			out[name] = Numbered(value, 1)
		}
	}
	return out
}
