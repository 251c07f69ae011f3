package schemalint

import (
	"fmt"
	"slices"
)

func ruleCost(v *visit) []hit {
	if !v.w.opts.Costs {
		return nil
	}
	var hits []hit
	for _, r := range v.rules {
		if cost := v.w.costs[r.at.String()]; cost > ruleLimit/2 {
			hits = append(hits, hit{r.at.Child("rule"), fmt.Sprintf("the rule is estimated to cost %d, of %d at most", cost, ruleLimit)})
		}
	}
	return hits
}

func unboundedInRule(v *visit) []hit {
	if v.branch || !v.estimated() || !v.large() {
		return nil
	}
	keyword := map[string]string{"string": "maxLength", "array": "maxItems", "object": "maxProperties"}[v.typ()]
	readers := text(v.readers[0].at)
	if more := len(v.readers) - 1; more > 0 {
		readers += fmt.Sprintf(" and %d more", more)
	}
	return v.one("", "no %s, and a rule reads it: %s", keyword, readers)
}

// estimated says that what a rule that reads the value costs is estimated, and limited.
func (v *visit) estimated() bool { return v.w.opts.Costs && len(v.readers) > 0 }

// guardedAway finds objects that may be empty, and whose rules are all off then.
func guardedAway(v *visit) []hit {
	if v.branch || v.typ() != "object" || len(v.rules) == 0 || len(v.s.Required) > 0 || (v.s.MinProperties != nil && *v.s.MinProperties > 0) {
		return nil
	}
	for _, r := range v.rules {
		on := true
		for name := range r.guards() {
			p, declared := v.s.Properties[name]
			scalar := declared && p.Default == nil && !slices.ContainsFunc(p.Type, func(typ string) bool { return typ == "object" || typ == "array" })
			on = on && !scalar
		}
		if on {
			return nil
		}
	}
	return v.one("x-kubernetes-validations", "{} is valid, and every rule begins with has() of a field that it lacks")
}

func negatedAll(v *visit) []hit {
	var hits []hit
	for _, r := range v.rules {
		if r.negatesAll() {
			hits = append(hits, hit{r.at.Child("rule"), "the rule negates an all()"})
		}
	}
	return hits
}

func ruleWithoutMessage(v *visit) []hit {
	var hits []hit
	for i, r := range v.x.Validations {
		if r.Message == "" && r.MessageExpression == "" {
			hits = append(hits, hit{v.rules[i].at, "a rule without a message"})
		}
	}
	return hits
}
