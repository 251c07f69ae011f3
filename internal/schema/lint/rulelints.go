package lint

import "fmt"

func ruleCost(v *visit) []hit {
	if !v.w.opts.Costs {
		return nil
	}
	var hits []hit
	for _, r := range v.rules {
		cost := v.w.costs[r.at.String()]
		if cost <= ruleLimit/2 {
			continue
		}
		h := hit{
			at:   r.at.Child("rule"),
			what: fmt.Sprintf("the rule is estimated to cost %d of at most %d: %s", cost, ruleLimit, share(cost, ruleLimit)),
		}
		if cost > ruleLimit {
			h.severity = Error // the API server already refuses the definition
		}
		hits = append(hits, h)
	}
	return hits
}

// share returns a cost as a part of a limit.
func share(cost, limit uint64) string {
	if cost > limit {
		return fmt.Sprintf("%.1f times the limit", float64(cost)/float64(limit))
	}
	return fmt.Sprintf("%d %% of the limit", 100*cost/limit)
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

// estimated reports whether the cost of a rule that reads the value is estimated and limited.
func (v *visit) estimated() bool { return v.w.opts.Costs && len(v.readers) > 0 }

func negatedAll(v *visit) []hit {
	var hits []hit
	for _, r := range v.rules {
		if r.negatesAll() {
			hits = append(hits, hit{at: r.at.Child("rule"), what: "the rule negates an all()"})
		}
	}
	return hits
}

func ruleWithoutMessage(v *visit) []hit {
	var hits []hit
	for i, r := range v.x.Validations {
		if r.Message == "" && r.MessageExpression == "" {
			hits = append(hits, hit{at: v.rules[i].at, what: "a rule without a message"})
		}
	}
	return hits
}
