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
	// verdict explains what a validator refuses that only says no, unchecked what the
	// rules of a schema would say that it did not check; nil where only equal errors
	// agree. policy explains denials by policies.
	verdict, unchecked, policy *Rule
}

// NewMatcher makes a matcher; with a nil or empty set only equal errors agree.
func NewMatcher(rules *RuleSet) *Matcher {
	m := &Matcher{rules: map[RuleKind][]*Rule{}}
	if rules != nil {
		m.verdict = &Rule{Name: string(Verdict), Kind: Verdict, Why: "the native validator only says no", Builtin: true}
		m.unchecked = &Rule{Name: string(Unchecked), Kind: Unchecked, Why: "the schema did not check its rules on an object that is wrong in other ways", Builtin: true}
		m.policy = &Rule{Name: string(Policy), Kind: Policy, Why: "a denial by a ValidatingAdmissionPolicy names no field, and the texts are equal", Builtin: true}
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
	return &Matcher{rules: m.rules, origin: rule, verdict: m.verdict, unchecked: m.unchecked, policy: m.policy}
}

// Match pairs the errors of two sides so that the whole is explained best:
//
//  1. As many errors as possible agree, exactly or by a rule; among these
//     pairings, as many as possible exactly. Then rules explain what one side
//     joins in one error, and what it does not say because it stopped looking.
//     A native refusal that says nothing agrees with all errors of the schema. A native
//     error agrees with what a rule says that the schema did not check.
//     A native error agrees with what the schema drops because a value did not change.
//  2. What is left and only repeats another error of its own side is set aside.
//  3. Of the rest, as many as possible are paired as near misses (Type, Path,
//     Detail), those first in which the two differ least. Of what is still left, errors
//     are paired (Path) of which one is at a field that contains the other's.
//  4. Whatever remains is TooLoose or TooStrict.
//  5. What a side says several times becomes one pair, which counts how often
//     each side says it. Where they agree in all but that, the class is Count,
//     unless a rule explains the repetition.
//
// Exact are two errors with the same type, the same field and the same text,
// whose bad values do not contradict each other; see the package documentation
// for what that means in detail.
//
// Every error is in exactly one pair, as itself or as one more of its like, except
// that an error which joins several of the other side is in the pair of each. The
// order of the pairs is canonical and does not depend on the order of the lists,
// which are not changed. Steps 1 and 3 are assignment problems of cubic cost; where
// more than maxAssigned errors could be each other's partners, pairs are taken
// cheapest first, which may explain less than possible, never more.
func (m *Matcher) Match(native, declarative field.ErrorList) []Pair {
	return m.MatchAnswers(Answer{Steady: native}, Answer{Steady: declarative}, nil)
}

// Answer is what a validator says.
type Answer struct {
	// Steady is what it says every time it is asked, Unstable what it says some of the
	// times; see the function Steady.
	Steady, Unstable field.ErrorList
	// Unchecked is what the rules of a schema would say, where an error of Steady says
	// that they were not checked (SaysNotChecked).
	Unchecked field.ErrorList
	// Unratcheted is what a schema would say of an update if it dropped no errors of values
	// that did not change (KEP-4008).
	Unratcheted field.ErrorList
}

// MatchAnswers compares as Match does. A pair with an error that its validator does
// not always give has the class Unstable, whatever the other side says: neither
// agreement nor difference can be told of it. Declared is the schema of the declarative
// side. Without it, no rule applies that needs evidence from the schema.
func (m *Matcher) MatchAnswers(native, declarative Answer, declared Declarations) []Pair {
	c := &comparison{native: newSide(native, declared), declarative: newSide(declarative, declared)}
	c.pairUp(c.agreements(m.rules[Wording], m.origin, m.policy))
	c.unjoin(m.rules[Joins])
	c.refuse(m.verdict)
	c.hide(m.rules[Hides])
	c.explainUnchecked(m, newSide(Answer{Steady: declarative.Unchecked}, declared))
	c.explainRatcheted(m, newSide(Answer{Steady: declarative.Unratcheted}, declared))
	c.native.markCopies()
	c.declarative.markCopies()
	c.pairUp(c.nearMisses())
	c.pairUp(c.nested())
	rows := c.rows(m.rules[Repeats])
	pairs := make([]Pair, len(rows))
	for i, row := range rows {
		pairs[i] = row.pair(c)
	}
	return pairs
}

// side is one side of a comparison.
type side struct {
	lines  []line
	first  []int // of each line, the first one that says the very same
	paired []bool
	copies []bool
}

func newSide(answer Answer, declared Declarations) side {
	lines := normalize(answer.Steady)
	if len(answer.Unstable) > 0 {
		for _, line := range normalize(answer.Unstable) {
			line.unstable = true
			lines = append(lines, line)
		}
		slices.SortStableFunc(lines, compareLines)
	}
	first := make([]int, len(lines))
	for i := range lines {
		lines[i].declared = declared
		first[i] = i
		// What says the same stands side by side: that is the order of lines.
		if i > 0 && comparePlaces(lines[i-1], lines[i]) == 0 && lines[i-1].identity() == lines[i].identity() {
			first[i] = first[i-1]
		}
	}
	return side{lines: lines, first: first, paired: make([]bool, len(lines)), copies: make([]bool, len(lines))}
}

// markCopies finds the unpaired lines that only repeat a line of their side.
func (p *side) markCopies() {
	said := make([]bool, len(p.lines))
	for i, paired := range p.paired {
		if paired {
			said[p.first[i]] = true
		}
	}
	for i, paired := range p.paired {
		if !paired {
			p.copies[i] = said[p.first[i]]
			said[p.first[i]] = true
		}
	}
}

// available says whether a partner is sought for a line.
func (p *side) available(i int) bool {
	return !p.paired[i] && !p.copies[i] && !p.lines[i].silent()
}

type comparison struct {
	native, declarative side
	chosen              []link
	explained           []explainedLine
	alone               map[explainedLine]bool // of and line of those that the other side does not report
	unchanged           []unchangedLine
}

// pairUp chooses among links and takes their lines out of the comparison.
func (c *comparison) pairUp(links []link) {
	for _, link := range assign(links) {
		c.native.paired[link.native] = true
		c.declarative.paired[link.declarative] = true
		c.chosen = append(c.chosen, link)
	}
}
