package schemalint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural/openapi"
)

func unboundedString(v *visit) []hit {
	if v.branch || v.implied || v.estimated() || v.typ() != "string" || !v.unbounded() {
		return nil
	}
	return v.one("", "a string without maxLength")
}

// unbounded says that nothing limits how long a string gets.
func (v *visit) unbounded() bool {
	return v.s.MaxLength == nil && v.s.Enum == nil && !shortFormat(v.s.Format) && !bounded(v.s.Pattern)
}

// large says that the estimate of costs knows no bound of a value: a pattern is none to
// it, and of the formats it knows three (k8s.io/apiserver/pkg/cel/common, estimateMaxLengthFromFormat).
func (v *visit) large() bool {
	switch v.typ() {
	case "string":
		return v.s.MaxLength == nil && v.s.Enum == nil && !slices.Contains([]string{"date", "date-time", "duration", "byte"}, v.s.Format)
	case "array":
		return v.s.MaxItems == nil
	case "object":
		return v.s.MaxProperties == nil && v.s.AdditionalProperties != nil
	}
	return false
}

// shortFormat says that strings of a format have a largest length.
func shortFormat(format string) bool {
	switch strings.ReplaceAll(format, "-", "") {
	case "date", "datetime", "duration", "ipv4", "ipv6", "ip", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5",
		"k8sshortname", "k8slongname", "hostname", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor":
		return true
	}
	return false
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
	return v.one("default", "a default of what may be null")
}

func requiredUndeclared(v *visit) []hit {
	if v.branch || openapi.Reference(v.s) != "" || v.s.AdditionalProperties != nil || v.x.Preserves() || v.typ() != "object" {
		return nil
	}
	var hits []hit
	for i, name := range v.s.Required {
		if _, declared := v.s.Properties[name]; !declared && !v.implies(name) {
			hits = append(hits, hit{v.at.Child("required").Index(i), fmt.Sprintf("%q is required and no property", name)})
		}
	}
	return hits
}

// implies says that a field needs no declaration, and is validated without one.
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
		_, ruled := p.Extensions["x-kubernetes-validations"]
		if declared && text && !ruled {
			hits = append(hits, hit{v.at.Child("required").Index(i), fmt.Sprintf("%q is required and may be empty", name)})
		}
	}
	return hits
}

func preservedRoot(v *visit) []hit {
	if !v.root || !v.x.Preserves() {
		return nil
	}
	return v.one("x-kubernetes-preserve-unknown-fields", "unknown fields are preserved at the root")
}

func noEffect(v *visit) []hit {
	if v.s.Format == "" || !v.w.ignored[text(v.at.Child("format"))] {
		return nil
	}
	return v.one("format", "the format %q is not known", v.s.Format)
}

// shaped is an object with the fields that it requires.
type shaped struct {
	at       *field.Path
	required []string
}

// note keeps an object for differing.
func (v *visit) note() {
	if v.branch || len(v.s.Properties) < 2 {
		return
	}
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(v.s.Properties)) {
		p := v.s.Properties[name]
		fields = append(fields, name+" "+strings.Join(p.Type, ","))
	}
	key := strings.Join(fields, "\n")
	v.w.shapes[key] = append(v.w.shapes[key], shaped{v.at, slices.Sorted(slices.Values(v.s.Required))})
}

// differing finds the objects of the same fields that require more than another one.
func differing(all []shaped) []hit {
	var hits []hit
	for _, one := range all {
		for _, other := range all {
			more := slices.DeleteFunc(slices.Clone(one.required), func(name string) bool { return slices.Contains(other.required, name) })
			if len(more) == 0 {
				continue
			}
			hits = append(hits, hit{one.at.Child("required"), fmt.Sprintf("requires %s, and %s with the same fields does not", strings.Join(more, ", "), text(other.at))})
			break
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
