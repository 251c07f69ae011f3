package idl

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// celFormats maps formats to the names they have in the Kubernetes CEL library
// "format" (k8s.io/apiserver/pkg/cel/library).
func celFormats() map[string]string {
	return map[string]string{
		"dns1123subdomain": "dns1123Subdomain", "dns1123label": "dns1123Label", "dns1035label": "dns1035Label",
		"k8s-short-name": "dns1123Label", "k8s-long-name": "dns1123Subdomain",
	}
}

// celNameFormat accepts the formats that +nameFormat takes: those of the KEP's table
// "Formats". Each has a variant for prefixes, which generateName is.
func celNameFormat(written string) (string, error) {
	if !slices.Contains(kepFormats(), written) {
		return "", fmt.Errorf("+nameFormat: unknown format %q; accepted: %s", written, strings.Join(kepFormats(), ", "))
	}
	return celFormats()[written], nil
}

// applyNameFormat spells the tag out as the two rules that the KEP's section
// "IDL tags" gives for it, on the struct that has the metadata: a rule inside
// metadata would need a copy of ObjectMeta for each kind.
func applyNameFormat(t *Target, value any) error {
	format, err := celNameFormat(text(value))
	if err != nil {
		return err
	}
	owner, name := t.owner, ""
	if owner != nil {
		name = t.field.name
	} else {
		owner, name = t.Schema(), "metadata"
		if _, ok := owner.Properties[name]; !ok {
			return fmt.Errorf("+nameFormat: the type has no field metadata; put the marker on the field of type ObjectMeta")
		}
	}
	addRule(owner, nameRule(name, "name", "format."+format+"()"))
	addRule(owner, nameRule(name, "generateName", "format."+format+"Prefix()"))
	return nil
}

func nameRule(metadata, name, format string) map[string]any {
	meta := celName(metadata)
	at := "self." + meta + "." + name
	return map[string]any{
		"rule": fmt.Sprintf("!has(self.%s) || !has(%s) || %s == '' || !%s.validate(%s).hasValue()", meta, at, at, format, at),
		// Joined, because a name can break two of the format's rules at once.
		"messageExpression": fmt.Sprintf("%s.validate(%s).value().join('; ')", format, at),
		"reason":            string(field.ErrorTypeInvalid),
		"fieldPath":         "." + metadata + "." + name,
	}
}

// celName is a field's name as CEL has to write it.
func celName(name string) string {
	if escaped, ok := apiservercel.Escape(name); ok {
		return escaped
	}
	return name
}
