package lint

import (
	"fmt"
	"slices"
	"strings"
)

// absentSpec finds an optional spec with required fields, if an object without it is accepted.
func absentSpec(v *visit) []hit {
	spec, declared := v.s.Properties["spec"]
	if !v.root || !v.w.opts.Costs || !declared || slices.Contains(v.s.Required, "spec") || spec.Default != nil {
		return nil
	}
	var required []string
	for _, name := range spec.Required {
		if spec.Properties[name].Default == nil {
			required = append(required, "spec."+name)
		}
	}
	finder := v.examples.finder()
	if len(required) == 0 || finder == nil || !finder.AcceptsWithout("spec") {
		return nil
	}
	return []hit{{at: v.at.Child("properties").Key("spec"), what: fmt.Sprintf("an object without spec is accepted, although %s %s required",
		strings.Join(required, ", "), map[bool]string{true: "is", false: "are"}[len(required) == 1])}}
}

// absentDefaults finds optional objects whose fields all have defaults, and that no default creates.
func absentDefaults(v *visit) []hit {
	if !v.optional || !v.w.opts.Costs || len(v.s.Properties) == 0 {
		return nil
	}
	empty := true // as in a reference, whose name is "" unless it is set
	for _, field := range v.s.Properties {
		if field.Default == nil {
			return nil
		}
		empty = empty && slices.Contains([]string{`""`, "0", "false"}, asJSON(field.Default))
	}
	if empty {
		return nil
	}
	return v.one("", "all of its fields have defaults, and none is set if the object is absent")
}
