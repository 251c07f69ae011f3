package infer

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// listFamilies are about lists and maps.
func listFamilies() []family {
	return []family{
		{
			why: "a bound of the items of a nested list", properties: "rules:\n  type: array\n  maxItems: 8\n  items:\n    type: " +
				"object\n    properties:\n      ports: {type: array, maxItems: 8, items: {type: integer}}",
			starts: []spec{{"rules": []any{map[string]any{"ports": []any{int64(80)}}}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				for i, rule := range s.list("rules") {
					fields, _ := rule.(map[string]any)
					for j, port := range spec(fields).list("ports") {
						if n, _ := port.(int64); n < 1 || n > 65535 {
							errs = append(errs,
								field.Invalid(at.Child("rules").Index(i).Child("ports").Index(j), n,
									"must be between 1 and 65535, inclusive"))
						}
					}
				}
				return errs
			},
			want: []string{"spec.rules[*].ports[*]: minimum: 1", "spec.rules[*].ports[*]: maximum: 65535"},
		},
		{
			why: "names are unique", properties: "items:\n  type: array\n  maxItems: 16\n  items:\n    type: object\n    required: " +
				"[name]\n    properties:\n      name: {type: string}\n      size: {type: integer}",
			starts: []spec{{"items": []any{map[string]any{"name": "a", "size": int64(1)}, map[string]any{"name": "b"}}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				seen := map[string]bool{}
				for i, item := range s.list("items") {
					fields, _ := item.(map[string]any)
					name := spec(fields).text("name")
					if seen[name] {
						errs = append(errs, field.Duplicate(at.Child("items").Index(i).Child("name"), name))
					}
					seen[name] = true
				}
				return errs
			},
			want: []string{`spec.items: x-kubernetes-list-map-keys: ["name"], x-kubernetes-list-type: "map"`},
		},
		{
			why: "a list that only grows", properties: "regions: {type: array, maxItems: 16, items: {type: string, maxLength: 20}}",
			required: []string{"regions"}, starts: []spec{{"regions": []any{"a", "b"}}},
			validate: func(s, old spec) field.ErrorList {
				for _, one := range old.list("regions") {
					if !slices.Contains(s.list("regions"), one) {
						return invalid("regions", s["regions"], "regions cannot be removed")
					}
				}
				return nil
			},
			want: []string{"spec.regions: oldSelf.all(x, x in self)"},
		},
		{
			why: "the values of a map", properties: "labels: {type: object, maxProperties: 8, additionalProperties: {type: string}}",
			starts: []spec{{"labels": map[string]any{"a": "b"}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				labels, _ := s["labels"].(map[string]any)
				for _, key := range slices.Sorted(maps.Keys(labels)) {
					if value, _ := labels[key].(string); len([]rune(value)) > 12 {
						errs = append(errs, field.TooLong(at.Child("labels").Key(key), value, 12))
					}
				}
				return errs
			},
			want: []string{"spec.labels[*]: maxLength: 12"},
		},
		{
			why:    "one function checks the items of two lists; no case has the inner one, and the path lacks a field",
			starts: []spec{{"steps": []any{map[string]any{"name": "x", "actions": []any{map[string]any{"kind": "A", "a": "x"}}}}}},
			properties: "actions: {type: array, maxItems: 4, items: {type: object, required: [kind], properties: {kind: {type: " +
				"string, enum: [A, B]}, a: {type: string}, b: {type: string}}}}\nsteps:\n  type: array\n  maxItems: 4\n  items: " +
				"{type: object, required: [name], properties: {name: {type: string}, actions: {type: array, maxItems: 4, items: " +
				"{type: object, required: [kind], properties: {kind: {type: string, enum: [A, B]}, a: {type: string}, b: " +
				"{type: string}}}}}}",
			validate: func(s, _ spec) (errs field.ErrorList) {
				check := func(path *field.Path, actions []any) {
					for i, action := range actions {
						fields, _ := action.(map[string]any)
						if spec(fields).has("a") && spec(fields).text("kind") != "A" {
							errs = append(errs, field.Invalid(path.Index(i), nil, "must have no a if the kind is not A"))
						}
					}
				}
				check(at.Child("actions"), s.list("actions"))
				for i, step := range s.list("steps") {
					fields, _ := step.(map[string]any)
					check(at.Child("steps").Index(i), spec(fields).list("actions"))
				}
				return errs
			},
			want: []string{"spec.actions[*]: !has(self.a) || self.kind != 'B'",
				"spec.steps[*].actions[*]: !has(self.a) || self.kind != 'B'"},
		},
		{
			why: "paths are appended to those of earlier errors", properties: "rules:\n  type: array\n  maxItems: 4\n  items: " +
				"{type: object, properties: {refs: {type: array, maxItems: 4, items: {type: object, required: [name], properties: " +
				"{name: {type: string, maxLength: 9}, port: {type: integer}}}}}}",
			starts: []spec{
				{
					"rules": []any{
						map[string]any{"refs": []any{map[string]any{"name": "a", "port": int64(80)}}},
						map[string]any{"refs": []any{map[string]any{"name": "b", "port": int64(80)}}},
					},
				},
			},
			validate: func(s, _ spec) (errs field.ErrorList) {
				path := at.Child("rules")
				for i, rule := range s.list("rules") {
					path = path.Index(i).Child("refs")
					fields, _ := rule.(map[string]any)
					for j, ref := range spec(fields).list("refs") {
						if fields, _ := ref.(map[string]any); !spec(fields).has("port") {
							errs = append(errs, field.Required(path.Index(j).Child("port"), "missing port"))
						}
					}
				}
				return errs
			},
			want: []string{"spec.rules[*].refs[*]: required: port"},
		},
	}
}
