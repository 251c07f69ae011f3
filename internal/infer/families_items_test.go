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
	const jobs = "jobs:\n  type: array\n  maxItems: 8\n  x-kubernetes-list-type: map\n  x-kubernetes-list-map-keys: " +
		"[name]\n  items:\n    type: object\n    required: [name]\n    properties:\n      name: {type: string, maxLength: " +
		"9}\n      after: {type: array, maxItems: 4, items: {type: string, maxLength: 9}}\n"
	const rules = "rules:\n  type: array\n  maxItems: 4\n  items:\n    type: object\n    required: [name]\n    properties:\n " +
		"     name: {type: string, maxLength: 99}\n      reasons: {type: array, maxItems: 4, items: {type: string, maxLength: 99}}\n"
	job := func(name string, after ...any) map[string]any {
		if len(after) == 0 {
			return map[string]any{"name": name}
		}
		return map[string]any{"name": name, "after": after}
	}
	return []family{
		{
			why: "what the first item may not have, whatever the others do; the error is at the object", properties: jobs,
			required: []string{"jobs"},
			starts:   []spec{{"jobs": []any{job("a"), job("b", "a")}}, {"jobs": []any{job("a")}}},
			validate: func(s, _ spec) field.ErrorList {
				if jobs := s.itemsOf("jobs"); len(jobs) > 0 && jobs[0].has("after") {
					return field.ErrorList{field.Forbidden(at, "after can't be set for the first job")}
				}
				return nil
			},
			want: []string{"spec.jobs: self.size() == 0 || !has(self[0].after)"},
		},
		{
			why: "what the last item must be, in a list that is never empty", properties: "rules:\n  type: array\n  minItems: " +
				"1\n  maxItems: 8\n  items:\n    type: object\n    required: [action]\n    properties:\n      action: {type: string, " +
				"enum: [Allow, Deny]}\n      host: {type: string, maxLength: 9}\n", required: []string{"rules"},
			starts: []spec{{"rules": []any{map[string]any{"action": "Allow", "host": "a"}, map[string]any{"action": "Deny"}}}},
			validate: func(s, _ spec) field.ErrorList {
				if rules := s.itemsOf("rules"); len(rules) > 0 && rules[len(rules)-1].has("host") {
					return invalid("rules", nil, "the last rule must have no host")
				}
				return nil
			},
			want: []string{"spec.rules: !has(self[self.size() - 1].host)"},
		},
		{
			why: "an item names earlier items of its list, and not itself", properties: jobs, required: []string{"jobs"},
			starts: []spec{{"jobs": []any{job("a"), job("b", "a")}}, {"jobs": []any{job("a")}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				var before []any
				for i, job := range s.itemsOf("jobs") {
					for _, name := range job.list("after") {
						if !slices.Contains(before, name) {
							errs = append(errs, field.Invalid(at.Child("jobs").Index(i).Child("after"), name, "must name an earlier job"))
						}
					}
					before = append(before, job["name"])
				}
				return errs
			},
			want: []string{"spec.jobs: self.all(i, z, !has(z.after) || z.after.all(x, self.exists(j, y, j < i && y.name == x)))"},
		},
		{
			why: "a text of an item names an earlier item, or itself; no path says where",
			properties: "steps:\n  type: array\n  maxItems: 8\n  x-kubernetes-list-type: map\n  x-kubernetes-list-map-keys: " +
				"[name]\n  items:\n    type: object\n    required: [name, parent]\n    properties:\n      name: {type: string, " +
				"maxLength: 9}\n      parent: {type: string, maxLength: 9}\n", required: []string{"steps"},
			starts: []spec{{"steps": []any{map[string]any{"name": "a", "parent": "a"}, map[string]any{"name": "b", "parent": "a"}}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				var before []any
				for _, step := range s.itemsOf("steps") {
					if before = append(before, step["name"]); !slices.Contains(before, step["parent"]) {
						errs = append(errs, field.Invalid(at, nil, "the parent of a step is not among the steps so far"))
					}
				}
				return errs
			},
			want: []string{"spec.steps: self.all(i, z, self.exists(j, y, j <= i && y.name == z.parent))"},
		},
		{
			why: "each item names items of another list",
			properties: jobs + "rules:\n  type: array\n  maxItems: 8\n  items:\n    type: object\n    properties:\n      targets: " +
				"{type: array, maxItems: 4, items: {type: string, maxLength: 9}}\n", required: []string{"jobs"},
			starts: []spec{
				{"jobs": []any{job("a"), job("b")}, "rules": []any{map[string]any{"targets": []any{"a"}}, map[string]any{}}},
				{"jobs": []any{job("a")}},
			},
			validate: func(s, _ spec) (errs field.ErrorList) {
				var names []any
				for _, job := range s.itemsOf("jobs") {
					names = append(names, job["name"])
				}
				for i, rule := range s.itemsOf("rules") {
					for _, target := range rule.list("targets") {
						if !slices.Contains(names, target) {
							errs = append(errs, field.NotFound(at.Child("rules").Index(i).Child("targets"), target))
						}
					}
				}
				return errs
			},
			want: []string{"spec: !has(self.rules) || self.rules.all(z, !has(z.targets) || z.targets.all(x, " +
				"self.jobs.exists(y, y.name == x)))"},
		},
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
			why: "what the first item may not have: an error without a path is not about every item", properties: jobs,
			required: []string{"jobs"},
			starts:   []spec{{"jobs": []any{job("a"), job("b", "a")}}, {"jobs": []any{job("a")}}},
			validate: func(s, _ spec) field.ErrorList {
				if jobs := s.itemsOf("jobs"); len(jobs) > 0 && jobs[0].has("after") {
					return field.ErrorList{pathless("DependsOn can't be set for the first job")}
				}
				return nil
			},
			want: []string{"spec.jobs: self.size() == 0 || !has(self[0].after)"},
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
