package infer

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// itemsOf returns the items of a list of objects.
func (s spec) itemsOf(name string) (all []spec) {
	for _, item := range s.list(name) {
		fields, _ := item.(map[string]any)
		all = append(all, fields)
	}
	return all
}

// pathless returns an error that names no field, as those of fmt.Errorf.
func pathless(format string, values ...any) *field.Error {
	return &field.Error{Type: field.ErrorTypeForbidden, BadValue: "", Detail: fmt.Sprintf(format, values...)}
}

// itemFamilies are about items of lists that depend on their position, on other items, or on the items of other lists.
func itemFamilies() []family {
	const rules = "rules:\n  type: array\n  maxItems: 4\n  items:\n    type: object\n    required: [name]\n    properties:\n " +
		"     name: {type: string, maxLength: 99}\n      reasons: {type: array, maxItems: 4, items: {type: string, maxLength: 99}}\n"
	return []family{
		{
			why: "only new objects are checked, and an update may set anything", properties: "size: {type: integer}",
			starts: []spec{{"size": int64(3)}, {}},
			validate: func(s, old spec) field.ErrorList {
				if old == nil && s.number("size") > 10 {
					return invalid("size", s.number("size"), "must be at most 10")
				}
				return nil
			},
			want: []string{"spec: oldSelf.hasValue() || !has(self.size) || self.size <= 10"},
		},
		{
			why: "only new objects are checked, and no update can change the value", properties: "size: {type: integer}",
			required: []string{"size"}, starts: []spec{{"size": int64(3)}},
			validate: func(s, old spec) field.ErrorList {
				switch {
				case old != nil && s.number("size") != old.number("size"):
					return invalid("size", s.number("size"), "field is immutable")
				case old == nil && s.number("size") > 10:
					return invalid("size", s.number("size"), "must be at most 10")
				}
				return nil
			},
			want: []string{"spec.size: maximum: 10", "spec.size: self == oldSelf"},
		},
		{
			why: "a plain IP", properties: "address: {type: string}", starts: []spec{{"address": "10.0.0.1"}, {"address": "::1"}},
			validate: func(s, _ spec) field.ErrorList {
				if s.has("address") && !isIP(s.text("address")) {
					return invalid("address", s.text("address"), "must be a valid IP address")
				}
				return nil
			},
			want: []string{"spec.address: isIP(self)"},
		},
		{
			why: "an error without a path is about the field whose change made it", required: []string{"rules"}, properties: rules,
			starts: []spec{{"rules": []any{map[string]any{"name": "first", "reasons": []any{"Failed"}}, map[string]any{"name": "second"}}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				for _, rule := range s.itemsOf("rules") {
					if n := len([]rune(rule.text("name"))); n > 12 {
						errs = append(errs, pathless("the name has the length %d, which is not at most 12", n))
					}
				}
				return errs
			},
			want: []string{"spec.rules[*].name: maxLength: 12"},
		},
		{
			why: "errors without paths in one text, as aggregates write them", required: []string{"rules"}, properties: rules,
			starts: []spec{{"rules": []any{map[string]any{"name": "first", "reasons": []any{"Failed"}}, map[string]any{"name": "second"}}}},
			validate: func(s, _ spec) field.ErrorList {
				var all []error
				for _, rule := range s.itemsOf("rules") {
					if n := len([]rune(rule.text("name"))); n > 12 {
						all = append(all, fmt.Errorf("the name of length %d is too long", n))
					}
					if len(rule.list("reasons")) > 2 {
						all = append(all, fmt.Errorf("there are more than 2 reasons"))
					}
				}
				if len(all) == 0 {
					return nil
				}
				return field.ErrorList{pathless("%v", errors.NewAggregate(all))}
			},
			want: []string{"spec.rules[*].name: maxLength: 12", "spec.rules[*].reasons: maxItems: 2"},
		},
		{
			why: "the same about texts in items of a list", required: []string{"rules"}, properties: rules,
			starts: []spec{{"rules": []any{map[string]any{"name": "first", "reasons": []any{"Failed"}}, map[string]any{"name": "second"}}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				for _, rule := range s.itemsOf("rules") {
					for _, reason := range rule.list("reasons") {
						if !slices.Contains([]any{"Failed", "Evicted"}, reason) {
							errs = append(errs, pathless("a reason is none of: 'Failed', 'Evicted'"))
						}
					}
				}
				return errs
			},
			want: []string{`spec.rules[*].reasons[*]: enum: ["Evicted","Failed"]`},
		},
	}
}
