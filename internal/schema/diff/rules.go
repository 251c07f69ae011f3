package diff

import (
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// writtenRule is an entry of x-kubernetes-validations.
type writtenRule struct {
	text string // as written
	// plain is the text that celexpr writes, so rules that differ only in spaces and
	// parentheses are equal.
	plain string
	// message is the text of its error; "" if it depends on the object.
	message string
	expr    celexpr.Expr // without macros expanded; nil: it cannot be parsed
	updates bool         // it looks at oldSelf
	// optional means that it also runs without an old object (optionalOldSelf).
	optional bool
	// reads is what it looks at.
	reads explore.Rule
}

// compareRules compares CEL rules by their text. A removed and an added rule that mean the same or
// are similar count as one reworded rule. A rule that only one side has is not a change if it
// cannot fail for values that the other side accepts.
func compareRules(w *walker, a, b *spec.Schema, path string) {
	w.kind = KindRule
	allA, allB := rules(a), rules(b)
	went, came := onlyIn(allA, allB), onlyIn(allB, allA)
	same := stable(a, b, w.a, w.b, nil)
	kept := func(old writtenRule) bool { return w.cannotFail(old, allB, w.ofA(a), w.ofB(b), same) }
	known := func(rule writtenRule) bool { return w.cannotFail(rule, allA, w.ofB(b), w.ofA(a), same) }
	for _, old := range went {
		at := successor(old, came)
		if at < 0 {
			if !kept(old) {
				w.addRule(Wider, path, "no longer a rule: ", old)
			}
			continue
		}
		if effect := directed(Unknown, !known(came[at]), !kept(old)); effect != "" {
			w.changes = append(w.changes, Change{
				Effect: effect, Kind: w.kind, Path: path, What: "rule reworded", From: old.text, To: came[at].text,
				says: old.says(), saysNow: came[at].says(), rules: []writtenRule{old, came[at]},
			})
		}
		came = slices.Delete(came, at, at+1)
	}
	for _, rule := range came {
		if !known(rule) {
			w.addRule(Narrower, path, "rule ", rule)
		}
	}
}

// cannotFail reports whether a rule provably holds for all objects that another schema and its
// rules accept. Only rules that run at the same time count: a transition rule does not run on
// creates, and a rule about the new object alone does not run on values that an update left
// unchanged.
func (w *walker) cannotFail(rule writtenRule, by []writtenRule, of, other proof.Schema, same bool) bool {
	if rule.expr == nil || w.defaulted {
		return false
	}
	if celproof.Always(rule.expr, of, other) {
		return true
	}
	var premises []celexpr.Expr
	for _, one := range by {
		if one.expr != nil && one.updates == rule.updates && one.optional == rule.optional {
			premises = append(premises, one.expr)
		}
	}
	return same && celproof.Implied(rule.expr, premises, of, other)
}

func (w *walker) addRule(effect Effect, path, what string, rule writtenRule) {
	w.changes = append(w.changes, Change{
		Effect: effect,
		Kind:   w.kind,
		Path:   path,
		What:   what + rule.text,
		says:   rule.says(),
		rules:  []writtenRule{rule},
	})
}

// rules returns the rules of a schema sorted by their texts.
func rules(s *spec.Schema) []writtenRule {
	var all []writtenRule
	list, _ := s.Extensions[openapi.XValidations].([]any)
	for _, item := range list {
		fields, _ := item.(map[string]any)
		text, _ := fields["rule"].(string)
		message, _ := fields["message"].(string)
		if expression, _ := fields["messageExpression"].(string); expression != "" {
			message = ""
		} else if message == "" {
			message = strings.TrimSpace(text) // "failed rule: …"
		}
		rule := newRule(text, message)
		rule.optional, _ = fields["optionalOldSelf"].(bool)
		all = append(all, rule)
	}
	slices.SortStableFunc(all, func(a, b writtenRule) int { return strings.Compare(a.plain, b.plain) })
	return all
}

// newRule parses a rule. If that fails, it keeps the text.
func newRule(text, message string) writtenRule {
	rule := writtenRule{text: text, plain: text, message: message}
	if rule.expr = celexpr.Parse(text); rule.expr == nil {
		return rule
	}
	rule.reads = explore.ReadRule(rule.expr, nil)
	rule.updates = rule.reads.Transition
	rule.plain = celexpr.String(rule.expr)
	return rule
}

// says returns the text of the rule's errors if it is one short line. Long texts are cut, and line
// breaks are escaped.
func (r writtenRule) says() string {
	const most = 200
	line, _, _ := strings.Cut(r.message, "\n")
	for i := range line {
		if i > most {
			return line[:i]
		}
	}
	return line
}

// onlyIn returns the rules that another list lacks.
func onlyIn(rules, other []writtenRule) []writtenRule {
	return slices.DeleteFunc(slices.Clone(rules), func(r writtenRule) bool {
		return slices.ContainsFunc(other, func(o writtenRule) bool { return o.plain == r.plain })
	})
}

// successor returns the index of the rule that replaced an old one: one with the same meaning, or
// else the one that shares most words, and more than half; -1 if there is none.
func successor(old writtenRule, came []writtenRule) int {
	best, most := -1, 0.5
	for i, rule := range came {
		alike := likeness(words(old.plain), words(rule.plain))
		if own := old.message != strings.TrimSpace(old.text) && old.message != ""; own && rule.message == old.message {
			alike += 1
		}
		if alike > most {
			best, most = i, alike
		}
	}
	return best
}

// words returns the names, numbers and operators of a rule.
func words(rule string) []string {
	return strings.FieldsFunc(rule, func(r rune) bool { return strings.ContainsRune(" \t\n()[]{},.", r) })
}

// likeness returns the share of words that two rules have in common, from 0 to 1.
func likeness(a, b []string) float64 {
	rest := slices.Clone(b)
	common := 0
	for _, word := range a {
		if at := slices.Index(rest, word); at >= 0 {
			rest = slices.Delete(rest, at, at+1)
			common++
		}
	}
	if len(a)+len(b) == 0 {
		return 0
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}
