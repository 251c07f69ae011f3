package lint

import (
	"fmt"
	"slices"
	"strings"
)

// transitionOfOptional finds rules about the old value of an optional field if no rule around it
// sees that the field is added or removed.
func transitionOfOptional(v *visit) []hit {
	var hits []hit
	for _, r := range v.rules {
		if !v.missesRemoval(r) {
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

// missesRemoval reports whether a rule is about the old value of an optional field, and no rule around it is.
func (v *visit) missesRemoval(r *rule) bool {
	return v.optional && !v.branch && r.old && !r.optional && !slices.ContainsFunc(v.readers, func(reader *rule) bool {
		return reader.old && !slices.Contains(v.rules, reader)
	})
}

// transitionEvaded finds rules about old values whose refusal two updates evade. The lint transition-of-optional reports
// rules that are about nothing but an optional field.
func transitionEvaded(v *visit) []hit {
	var hits []hit
	for _, r := range v.rules {
		if !r.old || !v.w.opts.Costs || v.missesRemoval(r) && len(r.names) == 0 {
			continue
		}
		if evaded, found := v.evasion(r); found {
			hits = append(hits, hit{at: r.at.Child("rule"), what: fmt.Sprintf(
				"two updates make the change that the rule refuses in one, because the first removes %s: %s, then %s, then %s",
				evaded.Removed, asJSON(evaded.Old), asJSON(evaded.Between), asJSON(evaded.New))})
		}
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
