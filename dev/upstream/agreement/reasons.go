package agreement

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// Reason explains why some calls differ on purpose.
type Reason struct {
	Name, Why string
	// of reports whether it explains a call, given upstream's and this project's results: the
	// reason must cover everything that differs.
	of func(c *capture.Call, want, got outcome) bool
}

func (r *Reason) String() string { return r.Name + ": " + r.Why }

// Reasons returns all reasons.
func Reasons() []*Reason {
	return []*Reason{{
		Name: "broken pattern",
		Why: "a pattern that is not a regular expression is a mistake in the schema here, reported once; upstream's validator " +
			"reports it for each value. The API server stores no such schema",
		of: func(_ *capture.Call, want, got outcome) bool {
			return got.refused && strings.Contains(got.note, "is not a regular expression") && want.allSay("pattern is invalid")
		},
	}, {
		Name: "broken messageExpression",
		Why: "a messageExpression that does not compile is a mistake in the schema here; upstream's validator falls back on " +
			"the message. The API server stores no such rule",
		of: func(_ *capture.Call, want, got outcome) bool {
			return got.refused && strings.Contains(got.note, ".messageExpression") && want.allSay("failed rule: ")
		},
	}, {
		Name: "rules below anyOf, oneOf and not",
		Why: "KEP-4153 asks for rules below all junctors; upstream's validator runs those below allOf alone. " +
			"No CustomResourceDefinition can have either",
		of: func(c *capture.Call, want, got outcome) bool {
			schema, err := readSchema(c)
			return err == nil && got.onlyAdds(want, choiceMessages(schema))
		},
	}, {
		Name: "function of a test",
		Why:  "the rule calls a function that the test itself declares",
		of:   func(_ *capture.Call, want, got outcome) bool { return got.onlyRefuses(want, "fakeFunction(") },
	}}
}

// reasonFor returns the reason of a difference, or nil.
func reasonFor(c *capture.Call, want, got outcome) *Reason {
	for _, r := range Reasons() {
		if r.of(c, want, got) {
			return r
		}
	}
	return nil
}

// allSay reports whether there are errors, all with a text in their details.
func (o outcome) allSay(text string) bool {
	return len(o.errs) > 0 && !slices.ContainsFunc(o.errs, func(f failure) bool { return !strings.Contains(f.detail, text) })
}

// onlyAdds reports whether an outcome adds only errors with some details.
func (o outcome) onlyAdds(to outcome, details []string) bool {
	rest := o
	rest.errs = slices.DeleteFunc(slices.Clone(o.errs), func(f failure) bool { return slices.Contains(details, f.detail) })
	return len(rest.errs) < len(o.errs) && rest.equal(to)
}

// onlyRefuses reports whether an outcome differs only in rules that contain a text and do not
// compile.
func (o outcome) onlyRefuses(of outcome, text string) bool {
	if len(o.facts) != len(of.facts) {
		return false
	}
	rest, refused := o, false
	rest.facts = slices.Clone(o.facts)
	for i, fact := range o.facts {
		if fact != of.facts[i] && isRefusal(fact) && strings.Contains(of.facts[i], text) {
			rest.facts[i], refused = of.facts[i], true
		}
	}
	return refused && rest.equal(of)
}

// choiceMessages returns the messages of the rules that a schema has directly below anyOf, oneOf
// and not.
func choiceMessages(s *spec.Schema) []string {
	branches := slices.Concat(s.AnyOf, s.OneOf)
	if s.Not != nil {
		branches = append(branches, *s.Not)
	}
	var all []string
	for _, branch := range branches {
		rules, _ := branch.Extensions[rulesKeyword].([]any)
		for _, rule := range rules {
			rule, _ := rule.(map[string]any)
			if message, _ := rule["message"].(string); message != "" {
				all = append(all, message)
			}
		}
	}
	return all
}

// Unused names the reasons that explain no finding and should be removed.
func Unused(findings []Finding) []string {
	var names []string
	for _, r := range Reasons() {
		used := func(f Finding) bool { return f.Verdict == Explained && f.Why == r.String() }
		if !slices.ContainsFunc(findings, used) {
			names = append(names, fmt.Sprintf("the reason %q no longer explains anything", r.Name))
		}
	}
	return names
}
