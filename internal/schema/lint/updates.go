package lint

import (
	"fmt"
	"slices"
	"strings"
)

// transitionOfOptional finds rules about the old value of an optional field if no rule around it
// sees that the field is added or removed.
func transitionOfOptional(v *visit) []hit {
	if !v.optional || v.branch {
		return nil
	}
	if slices.ContainsFunc(v.readers, func(r *rule) bool { return r.old && !slices.Contains(v.rules, r) }) {
		return nil
	}
	var hits []hit
	for _, r := range v.rules {
		if !r.old || r.optional {
			continue
		}
		h := hit{at: r.at.Child("rule"), what: fmt.Sprintf("the rule does not see that the field is added or removed: %s", oneLine(r.text))}
		if len(r.names) > 0 {
			h.severity = Info // it is about something inside the field, as rules of a spec are, which is often optional
		}
		hits = append(hits, h)
	}
	return hits
}

// requiredStatus finds a resource that requires its status, which requests do not set.
func requiredStatus(v *visit) []hit {
	at := slices.Index(v.s.Required, "status")
	if !v.root || at < 0 || !v.w.opts.StatusSubresource || v.s.Properties["status"].Default != nil {
		return nil
	}
	return []hit{{at: v.at.Child("required").Index(at), what: "status is required, and it is a subresource"}}
}

// nullOutsideEnum finds enums of nullable values.
func nullOutsideEnum(v *visit) []hit {
	if v.branch || !v.s.Nullable || len(v.s.Enum) == 0 {
		return nil
	}
	what := "the value is nullable, and its enum refuses a null"
	if slices.ContainsFunc(v.s.Enum, func(one any) bool { return one == nil || strings.TrimSpace(asJSON(one)) == "null" }) {
		what += ", although it has one"
	}
	return v.one("enum", "%s", what)
}
