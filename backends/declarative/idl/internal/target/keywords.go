package target

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
)

// SetExtension sets an extension of a schema.
func SetExtension(s *spec.Schema, key string, value any) {
	if s.Extensions == nil {
		s.Extensions = spec.Extensions{}
	}
	s.Extensions[key] = value
}

// AddRule appends a CEL rule to a schema.
func AddRule(s *spec.Schema, rule map[string]any) {
	SetExtension(s, openapi.XValidations, append(slices.Clip(RulesOf(s)), rule))
}

// RulesOf returns the CEL rules of a schema.
func RulesOf(s *spec.Schema) []any {
	rules, _ := s.Extensions[openapi.XValidations].([]any)
	return rules
}

// PropertyNames lists the properties of a schema in messages.
func PropertyNames(s *spec.Schema) string {
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// CheckFields reports names that are not fields of a struct.
func CheckFields(s *spec.Schema, marker string, names []string) error {
	for _, name := range names {
		if _, ok := s.Properties[name]; !ok {
			return fmt.Errorf("+%s: no field %q here; accepted: %s", marker, name, PropertyNames(s))
		}
	}
	return nil
}

// CELText returns a string literal in CEL.
func CELText(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(value) + "'"
}

// CountSet returns a CEL expression that counts how many fields are set.
func CountSet(names []string) string {
	set := make([]string, len(names))
	for i, name := range names {
		set[i] = "has(self." + celexpr.Escape(name) + ")"
	}
	return "[" + strings.Join(set, ", ") + "].filter(set, set).size()"
}

// ChildPath returns the fieldPath of a rule for a field of its schema.
func ChildPath(name string) string {
	if strings.ContainsAny(name, "[]") {
		return fmt.Sprintf("['%s']", name)
	}
	return "." + name
}
