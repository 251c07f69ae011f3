package infer

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// formatFamilies are about the formats that Kubernetes' libraries know, each with its trap.
func formatFamilies() []family {
	text := func(why, value string, want []string, wrong func(value string) []string) family {
		return family{
			why: why, properties: "value: {type: string}", starts: []spec{{"value": value}}, want: want,
			validate: func(s, _ spec) (errs field.ErrorList) {
				if !s.has("value") {
					return nil
				}
				for _, detail := range wrong(s.text("value")) {
					errs = append(errs, invalid("value", s.text("value"), detail)...)
				}
				return errs
			},
		}
	}
	because := func(err error) []string {
		if err != nil {
			return []string{"is not valid"}
		}
		return nil
	}
	return []family{
		{
			why: "a bound that is told only where another field has the same value", properties: "port: {type: integer, minimum: " +
				"0}\nendPort: {type: integer, minimum: 0}", required: []string{"port", "endPort"},
			starts: []spec{{"port": int64(80), "endPort": int64(90)}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				if s.number("endPort") < s.number("port") {
					errs = append(errs, invalid("endPort", s.number("endPort"), "must be greater than or equal to port")...)
				}
				if s.number("endPort") < 1 {
					errs = append(errs, invalid("endPort", s.number("endPort"), "must be at least 1")...)
				}
				return errs
			},
			want: []string{"spec.endPort: minimum: 1", "spec: self.endPort >= self.port"},
		},
		text("a label: not longer than 63", "abc", []string{
			`spec.value: pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?)$"`,
			"spec.value: bytes(self).size() <= 63",
			"spec.value: maxLength: 63",
			"spec.value: !format.dns1123Label().validate(self).hasValue()",
		}, validation.IsDNS1123Label),
		text("a subdomain: capital letters are wrong", "a.b", []string{
			`spec.value: pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$"`,
			"spec.value: bytes(self).size() <= 253",
		}, validation.IsDNS1123Subdomain),
		text("a label of services: no digit first", "abc", []string{
			`spec.value: pattern: "^([a-z]([-a-z0-9]*[a-z0-9])?)$"`,
			"spec.value: bytes(self).size() <= 63",
		}, validation.IsDNS1035Label),
		text("a qualified name: the prefix is optional", "example.com/a_B",
			[]string{"spec.value: maxLength: 317", "spec.value: !format.qualifiedName().validate(self).hasValue()"},
			validation.IsQualifiedName),
		text("the value of a label: empty is right", "a_B", []string{
			`spec.value: pattern: "^((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?)$"`,
			"spec.value: bytes(self).size() <= 63",
		}, validation.IsValidLabelValue),
		text("base64: padded", "YQ==", []string{`spec.value: format: "byte"`}, func(value string) []string {
			if value == "" || strings.ContainsAny(value, "\r\n") { // the library skips ends of lines
				return []string{"is not valid"}
			}
			_, err := base64.StdEncoding.DecodeString(value)
			return because(err)
		}),
		text("a quantity: 1 Gi has no blank", "1Gi", []string{"spec.value: isQuantity(self)"}, func(value string) []string {
			_, err := resource.ParseQuantity(value)
			return because(err)
		}),
		text("a secure address: a host, and no other scheme", "https://a",
			[]string{"spec.value: isURL(self) && url(self).getScheme() == 'https'"}, func(value string) []string {
				if u, err := url.ParseRequestURI(value); err != nil || u.Scheme != "https" {
					return []string{"must be an https URL"}
				}
				return nil
			}),
		{
			why: "the values of a selector: In needs some, Exists has none",
			properties: "expressions:\n  type: array\n  maxItems: 8\n  items:\n    type: object\n    required: [operator]\n   " +
				" properties:\n" +
				"      operator: {type: string, enum: [In, NotIn, Exists, DoesNotExist]}\n      values: {type: array, maxItems: 8, " +
				"items: {type: string, maxLength: 20}}",
			starts: []spec{{"expressions": []any{map[string]any{"operator": "In", "values": []any{"a"}},
				map[string]any{"operator": "Exists"}}}},
			validate: func(s, _ spec) (errs field.ErrorList) {
				for n, item := range s.list("expressions") {
					one, _ := item.(map[string]any)
					operator, _ := one["operator"].(string)
					values, _ := one["values"].([]any)
					path := at.Child("expressions").Index(n).Child("values")
					switch isIn := slices.Contains([]string{"In", "NotIn"}, operator); {
					case isIn && len(values) == 0:
						errs = append(errs, field.Required(path, "must be specified when `operator` is 'In' or 'NotIn'"))
					case !isIn && len(values) > 0:
						errs = append(errs, field.Forbidden(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
					}
				}
				return errs
			},
			want: []string{
				"spec.expressions[*]: !(self.operator in ['In', 'NotIn']) || has(self.values)",
				"spec.expressions[*]: !(self.operator in ['In', 'NotIn']) || !has(self.values) || self.values.size() >= 1",
				"spec.expressions[*]: self.operator in ['In', 'NotIn'] || !has(self.values) || self.values.size() == 0",
			},
		},
	}
}
