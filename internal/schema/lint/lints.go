package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

func unboundedString(v *visit) []hit {
	if v.branch || v.implied || v.estimated() || v.typ() != "string" || !v.unbounded() {
		return nil
	}
	return v.one("", "a string without maxLength")
}

// unbounded reports whether nothing limits the length of a string.
func (v *visit) unbounded() bool {
	format := formats.Of(v.s.Format)
	return v.s.MaxLength == nil && v.s.Enum == nil && format.Longest == 0 && !format.Short && !bounded(v.s.Pattern)
}

// large reports whether the cost estimate knows no bound of a value. It ignores patterns and knows
// only a few formats (k8s.io/apiserver/pkg/cel/common, estimateMaxLengthFromFormat).
func (v *visit) large() bool {
	switch v.typ() {
	case "string":
		return v.s.MaxLength == nil && v.s.Enum == nil && !formats.HasType(v.s.Format)
	case "array":
		return v.s.MaxItems == nil
	case "object":
		return v.s.MaxProperties == nil && v.s.AdditionalProperties != nil
	}
	return false
}

// newerFormat finds formats that older API servers store without validating them.
func newerFormat(v *visit) []hit {
	since := formats.Of(v.s.Format).Since
	if since == "" || !v.w.opts.Costs || v.typ() != "string" {
		return nil
	}
	return v.one("format", "the format %q is validated since Kubernetes %s", v.s.Format, since)
}

func listWithoutType(v *visit) []hit {
	if v.branch || v.typ() != "array" || v.x.ListType != nil {
		return nil
	}
	return v.one("", "a list without x-kubernetes-list-type")
}

func defaultUnderNullable(v *visit) []hit {
	if v.branch || !v.s.Nullable || v.s.Default == nil {
		return nil
	}
	return v.one("default", "a default of a nullable field")
}

func requiredUndeclared(v *visit) []hit {
	if v.branch || openapi.Reference(v.s) != "" || v.s.AdditionalProperties != nil || v.x.Preserves() || v.typ() != "object" {
		return nil
	}
	var hits []hit
	for i, name := range v.s.Required {
		if _, declared := v.s.Properties[name]; !declared && !v.implies(name) {
			hits = append(hits, hit{at: v.at.Child("required").Index(i), what: fmt.Sprintf("%q is required, but not declared", name)})
		}
	}
	return hits
}

// implies reports whether the API server validates a field that is not declared.
func (v *visit) implies(name string) bool {
	return (v.root || v.x.EmbeddedResource) && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name)
}

func requiredButEmpty(v *visit) []hit {
	if v.branch || len(v.s.AllOf) > 0 || len(v.rules) > 0 {
		return nil
	}
	var hits []hit
	for i, name := range v.s.Required {
		p, declared := v.s.Properties[name]
		text := slices.Contains(p.Type, "string") && p.MinLength == nil && p.Pattern == "" && p.Enum == nil && p.Format == ""
		_, ruled := p.Extensions[openapi.XValidations]
		if declared && text && !ruled {
			hits = append(hits, hit{at: v.at.Child("required").Index(i), what: fmt.Sprintf("%q is required and may be empty", name)})
		}
	}
	return hits
}

func preservedRoot(v *visit) []hit {
	if !v.root || !v.x.Preserves() {
		return nil
	}
	return v.one(openapi.XPreserveUnknownFields, "unknown fields are preserved at the root")
}

// inertKeyword finds keywords that have no effect for the type of the value.
func inertKeyword(v *visit) []hit {
	types := v.types()
	var hits []hit
	for _, k := range openapi.Ineffective(v.s, types) {
		hits = append(hits, hit{
			at: v.at.Child(k.Name),
			what: fmt.Sprintf("%s is for values of type %s, but this is of type %s", k.Name, strings.Join(k.Types, " or "),
				strings.Join(types, " or ")),
		})
	}
	return hits
}

// noEffect finds unknown formats, exclusive flags without their bound, and, in a
// CustomResourceDefinition, extensions and keys of rules that the API server does not know.
func noEffect(v *visit) []hit {
	var hits []hit
	if v.s.Format != "" && v.w.ignored[text(v.at.Child("format"))] {
		hits = append(hits, hit{at: v.at.Child("format"), what: fmt.Sprintf("the format %q is not known", v.s.Format)})
	}
	for _, bound := range []struct {
		name, of string
		alone    bool
	}{
		{"exclusiveMinimum", "minimum", v.s.ExclusiveMinimum && v.s.Minimum == nil},
		{"exclusiveMaximum", "maximum", v.s.ExclusiveMaximum && v.s.Maximum == nil},
	} {
		if bound.alone && v.effective(bound.name) {
			hits = append(hits, hit{at: v.at.Child(bound.name), what: fmt.Sprintf("%s has no effect without %s", bound.name, bound.of)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.s.Extensions)) {
		if v.w.opts.Costs && v.w.ignored[text(v.at.Child(name))] {
			hits = append(hits, hit{at: v.at.Child(name), what: "the extension is not known"})
		}
	}
	for i := range v.x.Validations {
		for _, name := range []string{"exceptSubresources", "onlySubresources"} {
			if at := v.at.Child(openapi.XValidations).Index(i).Child(name); v.w.ignored[text(at)] {
				hits = append(hits, hit{at: at, what: "the key is not known: the rule holds in all requests"})
			}
		}
	}
	return hits
}

func text(at *field.Path) string {
	if at == nil {
		return ""
	}
	return at.String()
}
