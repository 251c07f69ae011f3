package infer_test

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// family is a validator of one family, with the rules that a maintainer would write.
type family struct {
	why        string
	properties string
	required   []string
	validate   func(s, old spec) field.ErrorList
	starts     []spec
	want       []string
}

func invalid(name string, value any, detail string) field.ErrorList {
	return field.ErrorList{field.Invalid(at.Child(name), value, detail)}
}

func families() []family {
	return []family{
		{
			why: "both ends of a range in one error", properties: "keep: {type: integer}", required: []string{"keep"}, starts: []spec{{"keep": int64(7)}},
			validate: func(s, _ spec) field.ErrorList {
				if n := s.number("keep"); n < 1 || n > 365 {
					return invalid("keep", n, "must be between 1 and 365")
				}
				return nil
			},
			want: []string{"spec.keep: minimum: 1", "spec.keep: maximum: 365"},
		},
		{
			why: "a bound that no text names, on an optional field", properties: "keep: {type: integer}", starts: []spec{{"keep": int64(7)}},
			validate: func(s, _ spec) field.ErrorList {
				if s.has("keep") && s.number("keep") >= 1_234 {
					return invalid("keep", s.number("keep"), "is too large")
				}
				return nil
			},
			want: []string{"spec.keep: maximum: 1233"},
		},
		{
			why: "characters", properties: "title: {type: string}", required: []string{"title"}, starts: []spec{{"title": "abc"}},
			validate: func(s, _ spec) field.ErrorList {
				if len([]rune(s.text("title"))) > 20 {
					return field.ErrorList{field.TooLong(at.Child("title"), s.text("title"), 20)}
				}
				return nil
			},
			want: []string{"spec.title: maxLength: 20"},
		},
		{
			why: "bytes", properties: "title: {type: string}", required: []string{"title"}, starts: []spec{{"title": "abc"}},
			validate: func(s, _ spec) field.ErrorList {
				if len(s.text("title")) > 20 {
					return invalid("title", s.text("title"), "may not be more than 20 bytes")
				}
				return nil
			},
			want: []string{"spec.title: bytes(self).size() <= 20"},
		},
		{
			why: "a field that the schema does not require", properties: "size: {type: integer}\nname: {type: string}", starts: []spec{{"name": "a", "size": int64(1)}},
			validate: func(s, _ spec) field.ErrorList {
				if !s.has("name") {
					return field.ErrorList{field.Required(at.Child("name"), "")}
				}
				return nil
			},
			want: []string{"spec: required: name"},
		},
		{
			why: "required and not empty: a Go string has no third state", properties: "name: {type: string}", required: []string{"name"}, starts: []spec{{"name": "a"}},
			validate: func(s, _ spec) field.ErrorList {
				if s.text("name") == "" {
					return field.ErrorList{field.Required(at.Child("name"), "")}
				}
				return nil
			},
			want: []string{"spec.name: minLength: 1"},
		},
		{
			why: "an enum", properties: "mode: {type: string}", starts: []spec{{"mode": "Fast"}},
			validate: func(s, _ spec) field.ErrorList {
				if m := s.text("mode"); s.has("mode") && m != "Fast" && m != "Slow" {
					return field.ErrorList{field.NotSupported(at.Child("mode"), m, []string{"Fast", "Slow"})}
				}
				return nil
			},
			want: []string{`spec.mode: enum: ["Fast","Slow"]`},
		},
		{
			why: "the value is immutable, and always there", properties: "volume: {type: string}", required: []string{"volume"}, starts: []spec{{"volume": "a"}},
			validate: func(s, old spec) field.ErrorList {
				if old != nil && s.text("volume") != old.text("volume") {
					return invalid("volume", s.text("volume"), "field is immutable")
				}
				return nil
			},
			want: []string{"spec.volume: self == oldSelf"},
		},
		{
			why: "value and presence are immutable", properties: "volume: {type: string}", starts: []spec{{"volume": "a"}, {}},
			validate: func(s, old spec) field.ErrorList {
				if old != nil && (s.has("volume") != old.has("volume") || s.text("volume") != old.text("volume")) {
					return invalid("volume", s.text("volume"), "field is immutable")
				}
				return nil
			},
			want: []string{"spec: has(self.volume) == has(oldSelf.volume) && (!has(self.volume) || self.volume == oldSelf.volume)"},
		},
		{
			why: "set once", properties: "volume: {type: string}", starts: []spec{{"volume": "a"}, {}},
			validate: func(s, old spec) field.ErrorList {
				if old != nil && old.has("volume") && (!s.has("volume") || s.text("volume") != old.text("volume")) {
					return invalid("volume", s.text("volume"), "cannot change once set")
				}
				return nil
			},
			want: []string{"spec: !has(oldSelf.volume) || has(self.volume) && self.volume == oldSelf.volume"},
		},
		{
			why: "only growing", properties: "size: {type: integer}", required: []string{"size"}, starts: []spec{{"size": int64(3)}},
			validate: func(s, old spec) field.ErrorList {
				if old != nil && s.number("size") < old.number("size") {
					return invalid("size", s.number("size"), "cannot shrink")
				}
				return nil
			},
			want: []string{"spec.size: self >= oldSelf"},
		},
		{
			why: "only with a value of another field", properties: "mode: {type: string, enum: [Fast, Slow]}\nspeed: {type: integer}", required: []string{"mode"},
			starts: []spec{{"mode": "Fast", "speed": int64(1)}, {"mode": "Slow"}},
			validate: func(s, _ spec) field.ErrorList {
				if s.text("mode") == "Slow" && s.has("speed") {
					return field.ErrorList{field.Forbidden(at.Child("speed"), "may not be set when mode is 'Slow'")}
				}
				return nil
			},
			want: []string{"spec: self.mode != 'Slow' || !has(self.speed)"},
		},
		{
			why: "required with a value of another field", properties: "mode: {type: string, enum: [Fast, Slow]}\nspeed: {type: integer}", required: []string{"mode"},
			starts: []spec{{"mode": "Fast", "speed": int64(1)}, {"mode": "Slow"}},
			validate: func(s, _ spec) field.ErrorList {
				if s.text("mode") == "Fast" && !s.has("speed") {
					return field.ErrorList{field.Required(at.Child("speed"), "must be set when mode is Fast")}
				}
				return nil
			},
			want: []string{"spec: self.mode != 'Fast' || has(self.speed)"},
		},
		{
			why: "a bound under a condition", properties: "tier: {type: string, enum: [free, paid]}\nsize: {type: integer}", required: []string{"tier"},
			starts: []spec{{"tier": "free", "size": int64(1)}, {"tier": "paid", "size": int64(100)}},
			validate: func(s, _ spec) field.ErrorList {
				if s.text("tier") == "free" && s.number("size") > 10 {
					return invalid("size", s.number("size"), "must be at most 10 in the free tier")
				}
				return nil
			},
			want: []string{"spec: self.tier != 'free' || !has(self.size) || self.size <= 10"},
		},
		{
			why: "at most one of", properties: "a: {type: string}\nb: {type: string}", starts: []spec{{"a": "x"}, {"b": "x"}, {}},
			validate: func(s, _ spec) field.ErrorList {
				if s.has("a", "b") {
					return invalid("a", s.text("a"), "a and b are mutually exclusive")
				}
				return nil
			},
			want: []string{"spec: !has(self.b) || !has(self.a)"},
		},
		{
			why: "exactly one of three", properties: "a: {type: object, properties: {x: {type: string}}}\nb: {type: object, properties: {x: {type: string}}}\nc: {type: object, properties: {x: {type: string}}}",
			starts: []spec{{"a": map[string]any{}}, {"b": map[string]any{}}, {"c": map[string]any{}}},
			validate: func(s, _ spec) field.ErrorList {
				n := 0
				for _, name := range []string{"a", "b", "c"} {
					if s.has(name) {
						n++
					}
				}
				if n != 1 {
					return field.ErrorList{field.Invalid(at, nil, "exactly one of a, b and c must be set")}
				}
				return nil
			},
			want: []string{"spec: [has(self.a), has(self.b), has(self.c)].filter(set, set).size() == 1"},
		},
		{
			why: "strictly less", properties: "low: {type: integer}\nhigh: {type: integer}", required: []string{"low", "high"}, starts: []spec{{"low": int64(1), "high": int64(3)}},
			validate: func(s, _ spec) field.ErrorList {
				if s.number("low") >= s.number("high") {
					return invalid("low", s.number("low"), "must be less than high")
				}
				return nil
			},
			want: []string{"spec: self.low < self.high"},
		},
		{
			why: "a bound of the items of a nested list", properties: "rules:\n  type: array\n  maxItems: 8\n  items:\n    type: object\n    properties:\n      ports: {type: array, maxItems: 8, items: {type: integer}}",
			starts: []spec{{"rules": []any{map[string]any{"ports": []any{int64(80)}}}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				for i, rule := range s.list("rules") {
					fields, _ := rule.(map[string]any)
					for j, port := range spec(fields).list("ports") {
						if n, _ := port.(int64); n < 1 || n > 65535 {
							errs = append(errs, field.Invalid(at.Child("rules").Index(i).Child("ports").Index(j), n, "must be between 1 and 65535, inclusive"))
						}
					}
				}
				return errs
			},
			want: []string{"spec.rules[*].ports[*]: minimum: 1", "spec.rules[*].ports[*]: maximum: 65535"},
		},
		{
			why: "names are unique", properties: "items:\n  type: array\n  maxItems: 16\n  items:\n    type: object\n    required: [name]\n    properties:\n      name: {type: string}\n      size: {type: integer}",
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
			why: "a format of Kubernetes", properties: "address: {type: string}", starts: []spec{{"address": "10.0.0.0/8"}},
			validate: func(s, _ spec) field.ErrorList {
				if s.has("address") && !isCIDR(s.text("address")) {
					return invalid("address", s.text("address"), "must be a valid CIDR")
				}
				return nil
			},
			want: []string{"spec.address: isCIDR(self)"},
		},
		{
			why: "all or none", properties: "user: {type: string}\npassword: {type: string}", starts: []spec{{"user": "a", "password": "b"}, {}},
			validate: func(s, _ spec) field.ErrorList {
				if s.has("user") != s.has("password") {
					return field.ErrorList{field.Invalid(at, nil, "user and password must be set together")}
				}
				return nil
			},
			want: []string{"spec: has(self.password) == has(self.user)"},
		},
		{
			why: "three conditions at once", properties: "group: {type: string, default: \"\"}\nkind: {type: string, default: Service}\nport: {type: integer}",
			starts: []spec{{"port": int64(80)}, {"group": "a", "kind": "Other"}},
			validate: func(s, _ spec) field.ErrorList {
				if s.text("group") == "" && s.text("kind") == "Service" && !s.has("port") {
					return field.ErrorList{field.Required(at.Child("port"), "missing port for Service reference")}
				}
				return nil
			},
			want: []string{"spec: self.group != '' || self.kind != 'Service' || has(self.port)"},
		},
		{
			why: "the order of times", properties: "start: {type: string, format: date-time}\nend: {type: string, format: date-time}", required: []string{"start", "end"},
			starts: []spec{{"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}},
			validate: func(s, _ spec) field.ErrorList {
				start, err := time.Parse(time.RFC3339, s.text("start"))
				end, failed := time.Parse(time.RFC3339, s.text("end"))
				if err == nil && failed == nil && !end.After(start) {
					return invalid("end", s.text("end"), "must be after start")
				}
				return nil
			},
			want: []string{"spec: self.end > self.start"},
		},
		{
			why: "a sum", properties: "parts:\n  type: array\n  maxItems: 16\n  items:\n    type: object\n    required: [weight]\n    properties:\n      weight: {type: integer, minimum: 0, maximum: 1000}",
			required: []string{"parts"}, starts: []spec{{"parts": []any{map[string]any{"weight": int64(40)}, map[string]any{"weight": int64(60)}}}},
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
			why: "the name of an item of another list", properties: "main: {type: string}\nitems:\n  type: array\n  maxItems: 16\n  items:\n    type: object\n    required: [name]\n    properties:\n      name: {type: string, maxLength: 20}",
			required: []string{"main", "items"}, starts: []spec{{"main": "a", "items": []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}}}},
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
			why: "a list within another list", properties: "all: {type: array, maxItems: 16, items: {type: string, maxLength: 20}}\nused: {type: array, maxItems: 16, items: {type: string, maxLength: 20}}",
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
			why: "the keys of a map", properties: "labels: {type: object, maxProperties: 8, additionalProperties: {type: string}}", starts: []spec{{"labels": map[string]any{"a": "b"}}},
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
			why: "each item by itself, with an error at the list", properties: "budgets:\n  type: array\n  maxItems: 16\n  items:\n    type: object\n    properties:\n      schedule: {type: string}\n      duration: {type: string}",
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
			why: "a list that only grows", properties: "regions: {type: array, maxItems: 16, items: {type: string, maxLength: 20}}", required: []string{"regions"}, starts: []spec{{"regions": []any{"a", "b"}}},
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
			why: "immutable under a condition", properties: "locked: {type: boolean}\nsize: {type: integer}", required: []string{"locked", "size"}, starts: []spec{{"locked": true, "size": int64(1)}, {"locked": false, "size": int64(2)}},
			validate: func(s, old spec) field.ErrorList {
				if locked, _ := s["locked"].(bool); old != nil && locked && s.number("size") != old.number("size") {
					return invalid("size", s.number("size"), "cannot change while locked")
				}
				return nil
			},
			want: []string{"spec: !self.locked || self.size == oldSelf.size"},
		},
		{
			why: "a bound that the value may not reach, of a number", properties: "ratio: {type: number}", starts: []spec{{"ratio": 0.5}},
			validate: func(s, _ spec) field.ErrorList {
				ratio, _ := s["ratio"].(float64)
				if ratio >= 1 || s.number("ratio") >= 1 {
					return invalid("ratio", s["ratio"], "must be less than 1")
				}
				return nil
			},
			want: []string{"spec.ratio: exclusiveMaximum: true, maximum: 1"},
		},
		{
			why: "characters of an optional text, which may be empty", properties: "title: {type: string}", starts: []spec{{"title": "abc"}, {}},
			validate: func(s, _ spec) field.ErrorList {
				if n := len([]rune(s.text("title"))); n > 0 && n < 3 {
					return invalid("title", s.text("title"), "must have at least 3 characters, or none")
				}
				return nil
			},
			want: []string{"spec: !has(self.title) || self.title.size() >= 3 || self.title.size() == 0"},
		},
		{
			why: "a number or a percentage", properties: "maxUnavailable: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", starts: []spec{{"maxUnavailable": int64(1)}, {"maxUnavailable": "10%"}},
			validate: func(s, _ spec) field.ErrorList {
				switch value := s["maxUnavailable"].(type) {
				case int64:
					if value < 0 {
						return invalid("maxUnavailable", value, "must not be negative")
					}
				case string:
					if len(validation.IsValidPercent(value)) > 0 {
						return invalid("maxUnavailable", value, "must not be negative")
					}
				}
				return nil
			},
			want: []string{"spec.maxUnavailable: type(self) == int ? self >= 0 : self.matches(r'^[0-9]+%$')"},
		},
		{
			why: "a request and its limit", properties: "request: {type: string}\nlimit: {type: string}", starts: []spec{{"request": "1Gi", "limit": "2Gi"}, {"request": "100m"}},
			validate: func(s, _ spec) field.ErrorList {
				request, err := resource.ParseQuantity(s.text("request"))
				limit, failed := resource.ParseQuantity(s.text("limit"))
				if err == nil && failed == nil && request.Cmp(limit) > 0 {
					return invalid("request", s.text("request"), "must be less than or equal to limit")
				}
				return nil
			},
			want: []string{"spec: !has(self.request) || !has(self.limit) || !isQuantity(self.request) || !isQuantity(self.limit) || quantity(self.request).compareTo(quantity(self.limit)) <= 0"},
		},
		{
			why: "no name in two lists, whatever its case", properties: "add: {type: array, maxItems: 8, items: {type: string, maxLength: 20}}\nremove: {type: array, maxItems: 8, items: {type: string, maxLength: 20}}",
			starts: []spec{{"add": []any{"a"}, "remove": []any{"b"}}, {}},
			validate: func(s, _ spec) field.ErrorList {
				for _, one := range s.list("remove") {
					if slices.ContainsFunc(s.list("add"), func(other any) bool { return strings.EqualFold(fmt.Sprint(one), fmt.Sprint(other)) }) {
						return invalid("remove", s["remove"], "must have no header of add")
					}
				}
				return nil
			},
			want: []string{"spec: !has(self.remove) || !has(self.add) || !self.remove.exists(x, self.add.exists(y, y.lowerAscii() == x.lowerAscii()))"},
		},
		{
			why: "at least one of", properties: "a: {type: string}\nb: {type: string}\nc: {type: string}", starts: []spec{{"a": "x"}, {"b": "x"}, {"c": "x"}},
			validate: func(s, _ spec) field.ErrorList {
				if !s.has("a") && !s.has("b") && !s.has("c") {
					return field.ErrorList{field.Required(at, "one of a, b and c must be set")}
				}
				return nil
			},
			want: []string{"spec: has(self.a) || has(self.b) || has(self.c)"},
		},
		{
			why: "the presence alone is immutable", properties: "volume: {type: string}", starts: []spec{{"volume": "a"}, {}},
			validate: func(s, old spec) field.ErrorList {
				if old != nil && s.has("volume") != old.has("volume") {
					return invalid("volume", s.text("volume"), "cannot be added or removed")
				}
				return nil
			},
			want: []string{"spec: has(self.volume) == has(oldSelf.volume)"},
		},
		{
			why: "the values of a map", properties: "labels: {type: object, maxProperties: 8, additionalProperties: {type: string}}", starts: []spec{{"labels": map[string]any{"a": "b"}}},
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
			why: "one function checks the items of two lists; no case has the inner one, and the path lacks a field", starts: []spec{{"steps": []any{map[string]any{"name": "x", "actions": []any{map[string]any{"kind": "A", "a": "x"}}}}}},
			properties: "actions: {type: array, maxItems: 4, items: {type: object, required: [kind], properties: {kind: {type: string, enum: [A, B]}, a: {type: string}, b: {type: string}}}}\nsteps:\n  type: array\n  maxItems: 4\n  items: {type: object, required: [name], properties: {name: {type: string}, actions: {type: array, maxItems: 4, items: {type: object, required: [kind], properties: {kind: {type: string, enum: [A, B]}, a: {type: string}, b: {type: string}}}}}}",
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
			want: []string{"spec.actions[*]: !has(self.a) || self.kind != 'B'", "spec.steps[*].actions[*]: !has(self.a) || self.kind != 'B'"},
		},
		{
			why: "paths are appended to those of earlier errors", properties: "rules:\n  type: array\n  maxItems: 4\n  items: {type: object, properties: {refs: {type: array, maxItems: 4, items: {type: object, required: [name], properties: {name: {type: string, maxLength: 9}, port: {type: integer}}}}}}",
			starts: []spec{{"rules": []any{map[string]any{"refs": []any{map[string]any{"name": "a", "port": int64(80)}}}, map[string]any{"refs": []any{map[string]any{"name": "b", "port": int64(80)}}}}}},
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
		{
			why: "the number or the name of a port", properties: "port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", starts: []spec{{"port": int64(80)}, {"port": "http"}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				if n, is := s["port"].(int64); is && (n < 1 || n > 65535) {
					errs = append(errs, invalid("port", n, "must be between 1 and 65535, inclusive")...)
				}
				if name := s.text("port"); len(name) > 15 {
					errs = append(errs, invalid("port", name, "must be no more than 15 characters")...)
				}
				return errs
			},
			want: []string{"spec.port: type(self) == string || self >= 1", "spec.port: type(self) == string || self <= 65535", "spec.port: type(self) == int || self.size() <= 15"},
		},
		{
			why: "a network without bits of hosts", properties: "network: {type: string}", starts: []spec{{"network": "10.0.0.0/8"}},
			validate: func(s, _ spec) field.ErrorList {
				prefix, err := netip.ParsePrefix(s.text("network"))
				if err == nil && prefix.Masked() != prefix {
					return invalid("network", s.text("network"), "must not have bits set beyond the prefix length")
				}
				return nil
			},
			want: []string{"spec.network: !isCIDR(self) || cidr(self).masked() == cidr(self)"},
		},
		{
			why: "a date is a format of OpenAPI", properties: "day: {type: string}", starts: []spec{{"day": "2026-01-31"}},
			validate: func(s, _ spec) field.ErrorList {
				if _, err := time.Parse(time.DateOnly, s.text("day")); s.has("day") && err != nil {
					return invalid("day", s.text("day"), "must be a date")
				}
				return nil
			},
			want: []string{"spec.day: format: \"date\""},
		},
		{
			why: "a duration of Go", properties: "timeout: {type: string}", starts: []spec{{"timeout": "1h30m"}},
			validate: func(s, _ spec) field.ErrorList {
				if _, err := time.ParseDuration(s.text("timeout")); s.has("timeout") && err != nil {
					return invalid("timeout", s.text("timeout"), "must be a duration")
				}
				return nil
			},
			want: []string{"spec.timeout: pattern: \"^[-+]?(0|(([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$\""},
		},
	}
}
