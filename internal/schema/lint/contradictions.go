package lint

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/openapi"
)

// noValue finds a lower bound above the upper one, which no value satisfies.
func noValue(v *visit) []hit {
	var hits []hit
	add := func(low, high string, format string, args ...any) {
		if v.effective(low) && v.effective(high) {
			hits = append(hits, hit{at: v.at.Child(low), what: fmt.Sprintf(format, args...)})
		}
	}
	if s := v.s; s.Minimum != nil && s.Maximum != nil {
		switch {
		case *s.Minimum > *s.Maximum:
			add("minimum", "maximum", "minimum %v is over maximum %v", *s.Minimum, *s.Maximum)
		case *s.Minimum == *s.Maximum && (s.ExclusiveMinimum || s.ExclusiveMaximum):
			add("minimum", "maximum", "minimum and maximum are both %v, which is excluded", *s.Minimum)
		}
	}
	for _, size := range []struct {
		low, high string
		min, max  *int64
	}{
		{"minLength", "maxLength", v.s.MinLength, v.s.MaxLength},
		{"minItems", "maxItems", v.s.MinItems, v.s.MaxItems},
		{"minProperties", "maxProperties", v.s.MinProperties, v.s.MaxProperties},
	} {
		if size.min != nil && size.max != nil && *size.min > *size.max {
			add(size.low, size.high, "%s %d is over %s %d", size.low, *size.min, size.high, *size.max)
		}
	}
	if v.s.Enum != nil && len(v.s.Enum) == 0 {
		hits = append(hits, hit{at: v.at.Child("enum"), what: "an enum without values"})
	}
	return hits
}

// effective reports whether a keyword validates values of the type. The lint inert-keyword reports
// the others.
func (v *visit) effective(keyword string) bool {
	return !slices.ContainsFunc(openapi.Ineffective(v.s, v.types()), func(k openapi.Keyword) bool { return k.Name == keyword })
}

func (v *visit) types() []string {
	if types := openapi.Types(v.s); len(types) > 0 || v.declaring == nil {
		return types
	}
	return openapi.Types(v.declaring)
}

// enumOutside finds values of an enum that other keywords refuse.
func enumOutside(v *visit) []hit {
	if v.branch || len(v.s.Enum) == 0 {
		return nil
	}
	only := valueKeywords(v.s)
	only.Enum = nil
	var hits []hit
	for i, one := range v.s.Enum {
		if says := v.refuses(only, one); says != "" {
			hits = append(hits, hit{
				at:   v.at.Child("enum").Index(i),
				what: fmt.Sprintf("the enum has %s, which another keyword refuses: %s", asJSON(one), says),
			})
		}
	}
	return hits
}

// defaultOutside finds a default that its own schema refuses.
func defaultOutside(v *visit) []hit {
	object, isObject := v.s.Default.(map[string]any)
	if v.branch || v.s.Default == nil || v.implicit(v.at.Child("default")) || isObject && len(object) == 0 || openapi.Reference(v.s) != "" {
		return nil
	}
	if says := v.refuses(valueKeywords(v.s), v.s.Default); says != "" {
		return []hit{{at: v.at.Child("default"), what: fmt.Sprintf("the default %s is not valid: %s", asJSON(v.s.Default), says)}}
	}
	return nil
}

// valueKeywords returns a schema without its rules and without the schemas of its fields.
func valueKeywords(s *spec.Schema) *spec.Schema {
	only := &spec.Schema{SchemaProps: spec.SchemaProps{Type: s.Type, Nullable: s.Nullable}}
	for _, k := range openapi.Keywords() {
		if !k.HoldsSchemas() && k.Name != "required" {
			k.Copy(only, s)
		}
	}
	if is, _ := s.Extensions.GetBool(openapi.XIntOrString); is {
		only.Extensions = spec.Extensions{openapi.XIntOrString: true}
	}
	if items := openapi.Items(s); items != nil && openapi.Reference(items) == "" {
		only.Items = &spec.SchemaOrArray{Schema: valueKeywords(items)}
	}
	for i := range s.AllOf {
		if openapi.Reference(&s.AllOf[i]) == "" {
			only.AllOf = append(only.AllOf, *valueKeywords(&s.AllOf[i]))
		}
	}
	if slices.Contains(only.Type, "object") || len(only.Type) == 0 {
		only.Extensions = spec.Extensions{openapi.XPreserveUnknownFields: true}
	}
	return only
}

// refuses returns the first error of a value; "" if the value is valid or the schema does not
// compile by itself.
func (v *visit) refuses(s *spec.Schema, one any) string {
	const name = "value"
	whole := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{name: *s}}}
	validator, err := declarative.Compile(whole, declarative.Options{Semantics: v.w.opts.semantics(), WithoutEstimation: true})
	if err != nil {
		return ""
	}
	errs := validator.Validate(context.Background(), value.NewValueInterface(map[string]any{name: one}), nil)
	if len(errs) == 0 {
		return ""
	}
	slices.SortFunc(errs, func(a, b *field.Error) int { return cmp.Compare(a.Error(), b.Error()) })
	return strings.Replace(errs[0].ErrorBody(), name+" in body ", "", 1)
}

// requiredWithDefault finds required fields with a default. Defaults are set before required fields
// are checked.
func requiredWithDefault(v *visit) []hit {
	if v.branch {
		return nil
	}
	var hits []hit
	for i, name := range v.s.Required {
		property, declared := v.s.Properties[name]
		if !declared || property.Default == nil || property.Nullable {
			continue
		}
		h := hit{at: v.at.Child("required").Index(i),
			what: fmt.Sprintf("%q is required and has the default %s", name, asJSON(property.Default))}
		of := v.at.Child("properties").Key(name)
		switch {
		case v.implicit(of.Child("default")):
			continue
		case v.w.opts.Written == nil || v.implicit(of.Child("required")):
			h.severity = Info // possibly not the author's: controller-gen requires fields without omitempty
		default:
			h.at = of.Child("required")
		}
		hits = append(hits, h)
	}
	return hits
}

// implicit reports whether a convention set the keyword at a place, and no marker of the source
// did.
func (v *visit) implicit(at *field.Path) bool {
	return v.w.opts.Written != nil && !v.w.opts.Written(text(at))
}

func asJSON(one any) string {
	data, err := json.Marshal(one)
	if err != nil {
		return fmt.Sprint(one)
	}
	return string(data)
}
