package equivalence

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Matcher compares the errors of two validators. It is compiled once,
// immutable, and safe for many goroutines.
type Matcher struct {
	rules  map[RuleKind][]*Rule
	origin *Rule // or nil
	// verdict explains what a validator refuses that only says no; nil where
	// only equal errors agree.
	verdict *Rule
}

// NewMatcher makes a matcher; with a nil or empty set only equal errors agree.
func NewMatcher(rules *RuleSet) *Matcher {
	m := &Matcher{rules: map[RuleKind][]*Rule{}}
	if rules != nil {
		m.verdict = &Rule{Name: string(Verdict), Kind: Verdict, Why: "the native validator only says no", Builtin: true}
	}
	for _, rule := range rules.All() {
		m.rules[rule.Kind] = append(m.rules[rule.Kind], rule)
	}
	return m
}

// ByOrigin gives a matcher that also takes two errors for equivalent which have
// the same type, field and Origin, whatever they say, as upstream's tests do
// (field.ErrorMatcher.ByOrigin). Errors without an Origin are compared by their
// text.
func (m *Matcher) ByOrigin() *Matcher {
	rule := &Rule{Name: string(Origin), Kind: Origin, Why: "both name the same origin", Builtin: true}
	return &Matcher{rules: m.rules, origin: rule, verdict: m.verdict}
}

// Match pairs the errors of two sides so that the whole is explained best:
//
//  1. As many errors as possible agree, exactly or by a rule; among these
//     pairings, as many as possible exactly. Then rules explain what one side
//     joins in one error, and what it does not say because it stopped looking.
//     A native refusal that says nothing agrees with all errors of the schema.
//  2. What is left and only repeats another error of its own side has the class
//     Count, unless a rule explains the repetition.
//  3. Of the rest, as many as possible are paired as near misses (Type, Path,
//     Detail), those first in which the two differ least.
//  4. Whatever remains is TooLoose or TooStrict.
//
// Exact are two errors with the same type, the same field and the same text,
// whose bad values do not contradict each other; see the package documentation
// for what that means in detail.
//
// Every error is in exactly one pair, except that an error which joins several
// of the other side is in the pair of each. The order of the pairs is canonical and
// does not depend on the order of the lists, which are not changed. Steps 1 and
// 3 are assignment problems of cubic cost; where more than maxAssigned errors
// could be each other's partners, pairs are taken cheapest first, which may
// explain less than possible, never more.
func (m *Matcher) Match(native, declarative field.ErrorList) []Pair {
	c := &comparison{native: newParty(native), declarative: newParty(declarative)}
	c.pairUp(c.agreements(m.rules[Wording], m.origin))
	c.unjoin(m.rules[Joins])
	c.refuse(m.verdict)
	c.hide(m.rules[Hides])
	c.native.markCopies()
	c.declarative.markCopies()
	c.fold(m.rules[Repeats])
	c.pairUp(c.nearMisses())
	return c.pairs()
}

// party is one side of a comparison.
type party struct {
	lines  []line
	paired []bool
	copies []bool
}

func newParty(list field.ErrorList) party {
	lines := normalize(list)
	return party{lines: lines, paired: make([]bool, len(lines)), copies: make([]bool, len(lines))}
}

// markCopies finds the unpaired lines that only repeat an error of their side.
func (p *party) markCopies() {
	if !slices.Contains(p.paired, false) {
		return
	}
	said := map[string]bool{}
	for i, line := range p.lines {
		if p.paired[i] {
			said[line.identity()] = true
		}
	}
	for i, line := range p.lines {
		if !p.paired[i] {
			identity := line.identity()
			p.copies[i] = said[identity]
			said[identity] = true
		}
	}
}

// available says whether a partner is sought for a line.
func (p *party) available(i int) bool {
	return !p.paired[i] && !p.copies[i] && !p.lines[i].silent()
}

type comparison struct {
	native, declarative party
	chosen              []link
	settled             []settled
}

// pairUp chooses among links and takes their lines out of the comparison.
func (c *comparison) pairUp(links []link) {
	for _, link := range assign(links) {
		c.native.paired[link.native] = true
		c.declarative.paired[link.declarative] = true
		c.chosen = append(c.chosen, link)
	}
}

// pairs gives the result in canonical order: that of the native line, or of
// the declarative one where there is no native line.
func (c *comparison) pairs() []Pair {
	var all []settled
	for _, link := range c.chosen {
		a, b := c.native.lines[link.native], c.declarative.lines[link.declarative]
		all = append(all, settled{a, Pair{Native: a.err, Declarative: b.err, Class: link.class, Rule: link.rule}})
	}
	all = append(all, c.settled...)
	for i, line := range c.native.lines {
		if !c.native.paired[i] {
			all = append(all, settled{line, Pair{Native: line.err, Class: c.native.loneClass(i, TooLoose)}})
		}
	}
	for i, line := range c.declarative.lines {
		if !c.declarative.paired[i] {
			all = append(all, settled{line, Pair{Declarative: line.err, Class: c.declarative.loneClass(i, TooStrict)}})
		}
	}
	// Stable: what says the same is shown in the order of the steps above.
	slices.SortStableFunc(all, func(a, b settled) int { return comparePlaces(a.at, b.at) })
	pairs := make([]Pair, len(all))
	for i := range all {
		pairs[i] = all[i].pair
	}
	return pairs
}

func (p *party) loneClass(i int, otherwise Class) Class {
	if p.copies[i] {
		return Count
	}
	return otherwise
}
