package infer

import (
	"slices"
	"time"

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

// families returns all families.
func families() []family {
	return slices.Concat(valueFamilies(), fieldFamilies(), listFamilies(), itemFamilies(), formatFamilies())
}

// valueFamilies are about one value.
func valueFamilies() []family {
	return []family{
		{
			why: "both ends of a range in one error", properties: "keep: {type: integer}", required: []string{"keep"},
			starts: []spec{{"keep": int64(7)}},
			validate: func(s, _ spec) field.ErrorList {
				if n := s.number("keep"); n < 1 || n > 365 {
					return invalid("keep", n, "must be between 1 and 365")
				}
				return nil
			},
			want: []string{"spec.keep: minimum: 1", "spec.keep: maximum: 365"},
		},
		{
			why: "a bound that no text names, on an optional field", properties: "keep: {type: integer}",
			starts: []spec{{"keep": int64(7)}},
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
			why: "a field that the schema does not require", properties: "size: {type: integer}\nname: {type: string}",
			starts: []spec{{"name": "a", "size": int64(1)}},
			validate: func(s, _ spec) field.ErrorList {
				if !s.has("name") {
					return field.ErrorList{field.Required(at.Child("name"), "")}
				}
				return nil
			},
			want: []string{"spec: required: name"},
		},
		{
			why: "required and not empty: a Go string has no third state", properties: "name: {type: string}",
			required: []string{"name"}, starts: []spec{{"name": "a"}},
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
			why: "the value is immutable, and always there", properties: "volume: {type: string}", required: []string{"volume"},
			starts: []spec{{"volume": "a"}},
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
			why: "only growing, where none is zero", properties: "size: {type: integer}", starts: []spec{{"size": int64(3)}, {}},
			validate: func(s, old spec) field.ErrorList {
				if old != nil && s.number("size") < old.number("size") {
					return invalid("size", s.number("size"), "must not shrink")
				}
				return nil
			},
			want: []string{"spec: (has(self.size) ? self.size : 0) >= (has(oldSelf.size) ? oldSelf.size : 0)"},
		},
		{
			why: "set once, where none is the empty text", properties: "volume: {type: string}", starts: []spec{{"volume": "a"}, {}},
			validate: func(s, old spec) field.ErrorList {
				if old.text("volume") != "" && s.text("volume") != old.text("volume") {
					return invalid("volume", s.text("volume"), "cannot change once set")
				}
				return nil
			},
			want: []string{"spec: !has(oldSelf.volume) || oldSelf.volume == '' || has(self.volume) && self.volume == oldSelf.volume"},
		},
		{
			why: "immutable, where none is false", properties: "fast: {type: boolean}", starts: []spec{{"fast": true}, {}},
			validate: func(s, old spec) field.ErrorList {
				if old != nil && (s["fast"] == true) != (old["fast"] == true) {
					return invalid("fast", s["fast"], "field is immutable")
				}
				return nil
			},
			want: []string{"spec: (has(self.fast) ? self.fast : false) == (has(oldSelf.fast) ? oldSelf.fast : false)"},
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
			why: "characters of an optional text, which may be empty", properties: "title: {type: string}",
			starts: []spec{{"title": "abc"}, {}},
			validate: func(s, _ spec) field.ErrorList {
				if n := len([]rune(s.text("title"))); n > 0 && n < 3 {
					return invalid("title", s.text("title"), "must have at least 3 characters, or none")
				}
				return nil
			},
			want: []string{"spec: !has(self.title) || self.title.size() >= 3 || self.title.size() == 0"},
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
			why: "a date is a format of OpenAPI", properties: "day: {type: string}", starts: []spec{{"day": "2026-01-31"}},
			validate: func(s, _ spec) field.ErrorList {
				if _, err := time.Parse(time.DateOnly, s.text("day")); s.has("day") && err != nil {
					return invalid("day", s.text("day"), "must be a date")
				}
				return nil
			},
			want: []string{"spec.day: format: \"date\""},
		},
	}
}
