package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// filters is a list of typed items.
const filters = "filters:\n  type: array\n  maxItems: 16\n  items:\n    type: object\n    required: [type]\n    " +
	"properties:\n      type: {type: string, enum: [Extension, Header, Mirror, Redirect]}\n      name: {type: string, maxLength: 20}"

// repeats returns a validator that refuses two filters of a type that may not be repeated.
func repeats(may func(kind string) bool) func(s, old spec) field.ErrorList {
	return func(s, _ spec) field.ErrorList {
		seen := map[string]bool{}
		for _, item := range s.list("filters") {
			fields, _ := item.(map[string]any)
			kind := spec(fields).text("type")
			if seen[kind] && !may(kind) {
				return invalid("filters", kind, "cannot be used multiple times in the same rule")
			}
			seen[kind] = true
		}
		return nil
	}
}

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
			why: "one item of each type, but any number of extensions", properties: filters, starts: []spec{
				{"filters": []any{map[string]any{"type": "Header", "name": "a"}}},
				{"filters": []any{map[string]any{"type": "Extension", "name": "b"}, map[string]any{"type": "Mirror", "name": "b"}}},
			},
			validate: repeats(func(kind string) bool { return kind == "Extension" }),
			want:     []string{"spec.filters: self.all(x, x.type == 'Extension' || self.exists_one(y, x.type == y.type))"},
		},
		{
			why: "any number of each type, but one mirror", properties: filters, starts: []spec{
				{"filters": []any{map[string]any{"type": "Header", "name": "a"}}},
				{"filters": []any{map[string]any{"type": "Extension", "name": "b"}, map[string]any{"type": "Mirror", "name": "b"}}},
			},
			validate: repeats(func(kind string) bool { return kind != "Mirror" }),
			want:     []string{"spec.filters: self.all(x, x.type != 'Mirror' || self.exists_one(y, x.type == y.type))"},
		},
		{
			why: "a combination of three fields, of which one may be missing", properties: "listeners:\n  type: array\n  maxItems: " +
				"16\n  items:\n    type: object\n    required: [name, port, protocol]\n    properties:\n      name: {type: string, " +
				"maxLength: 20}\n      hostname: {type: string, maxLength: 20, minLength: 1}\n      port: {type: integer}\n      " +
				"protocol: {type: string, maxLength: 20}",
			starts: []spec{
				{
					"listeners": []any{
						map[string]any{"name": "a", "port": int64(80), "protocol": "HTTP"},
						map[string]any{"name": "b", "port": int64(80), "protocol": "HTTP", "hostname": "x"},
					},
				},
				{"listeners": []any{map[string]any{"name": "a", "port": int64(80), "protocol": "TCP", "hostname": "x"}}},
			},
			validate: func(s, _ spec) (errs field.ErrorList) {
				seen := map[string]bool{}
				for i, item := range s.list("listeners") {
					fields, _ := item.(map[string]any)
					one := spec(fields)
					key := fmt.Sprintf("%q %d %q", one.text("hostname"), one.number("port"), one.text("protocol"))
					if seen[key] {
						errs = append(errs, field.Duplicate(at.Child("listeners").Index(i),
							"combination of port, protocol, and hostname must be unique for each listener"))
					}
					seen[key] = true
				}
				return errs
			},
			want: []string{"spec.listeners: self.all(x, self.exists_one(y, has(x.hostname) == has(y.hostname) && (!has(x.hostname) " +
				"|| x.hostname == y.hostname) && x.port == y.port && x.protocol == y.protocol))"},
		},
		{
			why: "a sum", properties: "parts:\n  type: array\n  maxItems: 16\n  items:\n    type: object\n    required: " +
				"[weight]\n    properties:\n      weight: {type: integer, minimum: 0, maximum: 1000}",
			required: []string{"parts"},
			starts:   []spec{{"parts": []any{map[string]any{"weight": int64(40)}, map[string]any{"weight": int64(60)}}}},
			validate: func(s, _ spec) field.ErrorList {
				var sum int64
				for _, part := range s.list("parts") {
					fields, _ := part.(map[string]any)
					sum += spec(fields).number("weight")
				}
				if sum != 100 {
					return invalid("parts", s["parts"], "weights must sum to 100")
				}
				return nil
			},
			want: []string{"spec.parts: self.map(x, x.weight).sum() == 100"},
		},
		{
			why: "the name of an item of another list", properties: "main: {type: string}\nitems:\n  type: array\n  maxItems: " +
				"16\n  items:\n    type: object\n    required: [name]\n    properties:\n      name: {type: string, maxLength: 20}",
			required: []string{
				"main",
				"items",
			}, starts: []spec{{"main": "a", "items": []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}}}},
			validate: func(s, _ spec) field.ErrorList {
				for _, item := range s.list("items") {
					fields, _ := item.(map[string]any)
					if spec(fields).text("name") == s.text("main") {
						return nil
					}
				}
				return field.ErrorList{field.NotFound(at.Child("main"), s.text("main"))}
			},
			want: []string{"spec: self.items.exists(y, y.name == self.main)"},
		},
		{
			why: "a list within another list", properties: "all: {type: array, maxItems: 16, items: {type: string, maxLength: " +
				"20}}\nused: {type: array, maxItems: 16, items: {type: string, maxLength: 20}}",
			required: []string{"all", "used"}, starts: []spec{{"all": []any{"a", "b"}, "used": []any{"a"}}},
			validate: func(s, _ spec) field.ErrorList {
				for _, one := range s.list("used") {
					if !slices.Contains(s.list("all"), one) {
						return invalid("used", s["used"], "must be a subset of all")
					}
				}
				return nil
			},
			want: []string{"spec: self.used.all(x, x in self.all)"},
		},
		{
			why: "the keys of a map", properties: "labels: {type: object, maxProperties: 8, additionalProperties: {type: string}}",
			starts: []spec{{"labels": map[string]any{"a": "b"}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				labels, _ := s["labels"].(map[string]any)
				for _, key := range slices.Sorted(maps.Keys(labels)) {
					if len(validation.IsDNS1123Label(key)) > 0 {
						errs = append(errs, field.Invalid(at.Child("labels").Key(key), key, "must be a lowercase RFC 1123 label"))
					}
				}
				return errs
			},
			want: []string{"spec.labels: self.all(key, !format.dns1123Label().validate(key).hasValue())"},
		},
		{
			why: "each item by itself, with an error at the list", properties: "budgets:\n  type: array\n  maxItems: " +
				"16\n  items:\n    type: object\n    properties:\n      schedule: {type: string}\n      duration: {type: string}",
			starts: []spec{{"budgets": []any{map[string]any{"schedule": "a", "duration": "b"}, map[string]any{}}}},
			validate: func(s, _ spec) field.ErrorList {
				for _, item := range s.list("budgets") {
					fields, _ := item.(map[string]any)
					if spec(fields).has("schedule") != spec(fields).has("duration") {
						return invalid("budgets", nil, "'schedule' must be set with 'duration'")
					}
				}
				return nil
			},
			want: []string{"spec.budgets: self.all(item, has(item.duration) == has(item.schedule))"},
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
			why: "no name in two lists, whatever its case", properties: "add: {type: array, maxItems: 8, items: {type: string, " +
				"maxLength: 20}}\nremove: {type: array, maxItems: 8, items: {type: string, maxLength: 20}}",
			starts: []spec{{"add": []any{"a"}, "remove": []any{"b"}}, {}},
			validate: func(s, _ spec) field.ErrorList {
				for _, one := range s.list("remove") {
					if slices.ContainsFunc(s.list("add"),
						func(other any) bool { return strings.EqualFold(fmt.Sprint(one), fmt.Sprint(other)) }) {
						return invalid("remove", s["remove"], "must have no header of add")
					}
				}
				return nil
			},
			want: []string{"spec: !has(self.remove) || !has(self.add) || !self.remove.exists(x, self.add.exists(y, y.lowerAscii() " +
				"== x.lowerAscii()))"},
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
