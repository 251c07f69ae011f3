package kep4153

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// celNameFormat returns the CEL name of a format of +nameFormat: those in the KEP's table
// "Formats". Each has a variant for prefixes, for generateName.
func celNameFormat(written string) (string, error) {
	format := formats.Of(written)
	if !format.Proposed {
		return "", fmt.Errorf("+nameFormat: unknown format %q; accepted: %s", written, kepFormats())
	}
	return format.CEL, nil
}

// applyNameFormat writes the marker as two rules, as in the KEP's section "IDL tags". They are on
// the struct that has the metadata: a rule inside metadata would need a copy of ObjectMeta for
// each kind.
func applyNameFormat(t *target.Target, value any) error {
	format, err := celNameFormat(text(value))
	if err != nil {
		return err
	}
	owner, name := t.Owner, ""
	if owner != nil {
		name = t.Field.Name
	} else {
		owner, name = t.Schema(), "metadata"
		if _, ok := owner.Properties[name]; !ok {
			return fmt.Errorf("+nameFormat: the type has no field metadata; put the marker on the field of type ObjectMeta")
		}
	}
	target.AddRule(owner, nameRule(name, "name", "format."+format+"()"))
	target.AddRule(owner, nameRule(name, "generateName", "format."+format+"Prefix()"))
	return nil
}

func nameRule(metadata, name, format string) map[string]any {
	meta := celexpr.Escape(metadata)
	at := "self." + meta + "." + name
	return map[string]any{
		"rule": fmt.Sprintf("!has(self.%s) || !has(%s) || %s == '' || !%s.validate(%s).hasValue()", meta, at, at, format, at),
		// A name can violate two requirements of a format at once.
		"messageExpression": fmt.Sprintf("%s.validate(%s).value().join('; ')", format, at),
		"reason":            string(field.ErrorTypeInvalid),
		"fieldPath":         "." + metadata + "." + name,
	}
}
