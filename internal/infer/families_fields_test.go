package infer

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// fieldFamilies are about several fields of one object.
func fieldFamilies() []family {
	return []family{
		{
			why: "only with a value of another field", properties: "mode: {type: string, enum: [Fast, Slow]}\nspeed: {type: integer}",
			required: []string{"mode"},
			starts:   []spec{{"mode": "Fast", "speed": int64(1)}, {"mode": "Slow"}},
			validate: func(s, _ spec) field.ErrorList {
				if s.text("mode") == "Slow" && s.has("speed") {
					return field.ErrorList{field.Forbidden(at.Child("speed"), "may not be set when mode is 'Slow'")}
				}
				return nil
			},
			want: []string{"spec: self.mode != 'Slow' || !has(self.speed)"},
		},
		{
			why: "required with a value of another field", properties: "mode: {type: string, enum: [Fast, Slow]}\nspeed: {type: " +
				"integer}", required: []string{"mode"},
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
			why: "a bound under a condition", properties: "tier: {type: string, enum: [free, paid]}\nsize: {type: integer}",
			required: []string{"tier"},
			starts:   []spec{{"tier": "free", "size": int64(1)}, {"tier": "paid", "size": int64(100)}},
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
			why: "exactly one of three", properties: "a: {type: object, properties: {x: {type: string}}}\nb: {type: object, " +
				"properties: {x: {type: string}}}\nc: {type: object, properties: {x: {type: string}}}",
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
			why: "strictly less", properties: "low: {type: integer}\nhigh: {type: integer}", required: []string{"low", "high"},
			starts: []spec{{"low": int64(1), "high": int64(3)}},
			validate: func(s, _ spec) field.ErrorList {
				if s.number("low") >= s.number("high") {
					return invalid("low", s.number("low"), "must be less than high")
				}
				return nil
			},
			want: []string{"spec: self.low < self.high"},
		},
		{
			why: "all or none", properties: "user: {type: string}\npassword: {type: string}",
			starts: []spec{{"user": "a", "password": "b"}, {}},
			validate: func(s, _ spec) field.ErrorList {
				if s.has("user") != s.has("password") {
					return field.ErrorList{field.Invalid(at, nil, "user and password must be set together")}
				}
				return nil
			},
			want: []string{"spec: has(self.password) == has(self.user)"},
		},
		{
			why: "three conditions at once", properties: "group: {type: string, default: \"\"}\nkind: {type: string, default: " +
				"Service}\nport: {type: integer}",
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
			why: "immutable under a condition", properties: "locked: {type: boolean}\nsize: {type: integer}",
			required: []string{"locked", "size"}, starts: []spec{{"locked": true, "size": int64(1)}, {"locked": false, "size": int64(2)}},
			validate: func(s, old spec) field.ErrorList {
				if locked, _ := s["locked"].(bool); old != nil && locked && s.number("size") != old.number("size") {
					return invalid("size", s.number("size"), "cannot change while locked")
				}
				return nil
			},
			want: []string{"spec: !self.locked || self.size == oldSelf.size"},
		},
		{
			why: "at least one of", properties: "a: {type: string}\nb: {type: string}\nc: {type: string}",
			starts: []spec{{"a": "x"}, {"b": "x"}, {"c": "x"}},
			validate: func(s, _ spec) field.ErrorList {
				if !s.has("a") && !s.has("b") && !s.has("c") {
					return field.ErrorList{field.Required(at, "one of a, b and c must be set")}
				}
				return nil
			},
			want: []string{"spec: has(self.a) || has(self.b) || has(self.c)"},
		},
	}
}
