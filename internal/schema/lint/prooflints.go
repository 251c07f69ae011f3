package lint

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/internal/schema/celproof"
)

// ofRule returns the schema of the rules in the form that proofs need.
func (v *visit) ofRule() celproof.Schema {
	return celproof.Schema{Schema: v.s, Definitions: v.w.opts.Definitions}
}

// alwaysTrue finds rules that provably hold for every value that the schema accepts.
func alwaysTrue(v *visit) []hit {
	return v.proved("the rule holds for every value that the schema accepts: %s", func(r *rule) bool {
		return celproof.Always(r.expr, v.ofRule(), v.ofRule())
	})
}

// neverTrue finds rules that provably hold for no value.
func neverTrue(v *visit) []hit {
	return v.proved("the rule holds for no value that the schema accepts: %s", func(r *rule) bool {
		return celproof.Never(r.expr, v.ofRule()) && !celproof.Always(r.expr, v.ofRule(), v.ofRule())
	})
}

func (v *visit) proved(what string, is func(*rule) bool) []hit {
	var hits []hit
	for _, r := range v.rules {
		if r.expr != nil && is(r) {
			hits = append(hits, hit{at: r.at.Child("rule"), what: fmt.Sprintf(what, oneLine(r.text))})
		}
	}
	return hits
}

// needlessGuard finds has() of fields that are always set. With the semantics of KEP-4153, rules
// also run if a required field is missing, so they need the guard.
func needlessGuard(v *visit) []hit {
	if v.w.opts.Native {
		return nil
	}
	var hits []hit
	for _, r := range v.rules {
		if r.expr == nil {
			continue
		}
		for _, guarded := range celproof.Guards(r.expr, v.ofRule()) {
			hits = append(hits, hit{at: r.at.Child("rule"), what: fmt.Sprintf("has(%s) is always true: the field is required", guarded)})
		}
	}
	return hits
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
