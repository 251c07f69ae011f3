package equivalence

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// Matcher compares the errors of two validators. It is immutable and safe for concurrent use.
type Matcher struct {
	rules  map[string][]*Rule
	origin *Rule // or nil
	// verdict explains refusals without a reason, unchecked the errors of schema rules that were not
	// checked, decoding errors of decoders, and policy denials by policies. They are nil if only equal errors
	// agree.
	verdict, unchecked, decoding, policy *Rule
}

// NewMatcher returns a matcher; with a nil or empty set only equal errors agree.
func NewMatcher(rules *RuleSet) *Matcher {
	m := &Matcher{rules: map[string][]*Rule{}}
	if rules != nil {
		m.verdict = &Rule{Name: string(kindVerdict), Kind: kindVerdict, Why: "the native validator only refuses", Builtin: true}
		m.unchecked = &Rule{
			Name:    string(kindUnchecked),
			Kind:    kindUnchecked,
			Why:     "the schema did not check its rules on an object that is wrong in other ways",
			Builtin: true,
		}
		m.decoding = &Rule{
			Name:    string(kindDecoding),
			Kind:    kindDecoding,
			Why:     "the Go type of the webhook cannot hold the value, so that it checked nothing else",
			Builtin: true,
		}
		m.policy = &Rule{
			Name:    string(kindPolicy),
			Kind:    kindPolicy,
			Why:     "a denial by a ValidatingAdmissionPolicy names no field, and the texts are equal",
			Builtin: true,
		}
	}
	for _, rule := range rules.All() {
		m.rules[rule.Kind] = append(m.rules[rule.Kind], rule)
	}
	return m
}

// ByOrigin returns a matcher that also makes two errors equivalent if they have the same type, field and
// Origin, whatever their texts, like upstream's tests (field.ErrorMatcher.ByOrigin). Errors without an
// Origin are compared by their text.
func (m *Matcher) ByOrigin() *Matcher {
	rule := &Rule{Name: string(kindOrigin), Kind: kindOrigin, Why: "both name the same origin", Builtin: true}
	return &Matcher{rules: m.rules, origin: rule, verdict: m.verdict, unchecked: m.unchecked, decoding: m.decoding, policy: m.policy}
}

// Match pairs the errors of two sides so that as much as possible is explained:
//
//  1. As many errors as possible agree, exactly or by a rule, and as many of these as possible
//     exactly. Then rules explain errors that one side joins into one error, or does not report
//     because it stopped early. A native refusal without a reason agrees with all errors of the
//     schema. An error of a decoder agrees with those of the schema at the same field, and the
//     native validator checked nothing else then. A native error also agrees with errors of schema rules that were not checked, and
//     with errors that the schema drops because a value did not change.
//  2. Unpaired errors that only repeat an error of their own side are set aside.
//  3. As many of the rest as possible are paired as near misses (Type, Path, Detail), preferably
//     those that differ least. Errors that are still left are paired (Path) if the field of one
//     contains that of the other. For native errors that are left over after that, the dropped
//     error is recorded that they would be paired with (Pair.Dropped).
//  4. Whatever remains is TooLoose or TooStrict.
//  5. Repeated errors of a side become one pair, which counts the errors of each side. If the
//     sides differ only in that number, the class is Count, unless a rule explains it.
//
// Two errors agree exactly if their types, fields and texts are equal and their bad values do not
// contradict each other; the package documentation has the details.
//
// Every error is in exactly one pair, possibly counted as a repetition, except that an error that
// joins several errors of the other side is in the pair of each. The order of the pairs is
// canonical and does not depend on the order of the lists, which are not changed. Steps 1 and 3
// are assignment problems of cubic cost. If more than maxAssigned errors could be partners, pairs
// are taken cheapest first, which may explain less than possible, never more.
func (m *Matcher) Match(native, declarative field.ErrorList) []Pair {
	return m.MatchAnswers(difference.Answer{Errors: native}, difference.Answer{Errors: declarative}, nil)
}

// MatchAnswers compares like Match. A pair with an unstable error has the class Unstable, whatever the
// other side reports: it shows neither agreement nor difference. declared is the schema of the
// declarative side. Without it, no rule applies that needs evidence from the schema.
func (m *Matcher) MatchAnswers(native, declarative difference.Answer, declared difference.Declarations) []Pair {
	c := &comparison{native: newSide(native, declared), declarative: newSide(declarative, declared)}
	c.pairUp(c.agreements(m.rules[kindWording], m.origin, m.policy))
	c.unjoin(m.rules[kindJoins])
	c.refuse(m.verdict)
	c.explainDecoding(m.decoding)
	c.hide(m.rules[kindHides])
	c.explainUnchecked(m, newSide(difference.Answer{Errors: declarative.Unchecked}, declared))
	dropped := c.explainByRatcheting(m, newSide(difference.Answer{Errors: declarative.WithoutRatcheting}, declared))
	c.native.markCopies()
	c.declarative.markCopies()
	c.pairUp(c.nearMisses())
	c.pairUp(c.containing())
	c.findDropped(dropped)
	rows := c.rows(m.rules[kindRepeats])
	pairs := make([]Pair, len(rows))
	for i, row := range rows {
		pairs[i] = row.pair(c)
	}
	return pairs
}

// side is one side of a comparison.
type side struct {
	lines  []line
	first  []int // for each line, the first identical line
	paired []bool
	copies []bool
}

func newSide(answer difference.Answer, declared difference.Declarations) side {
	lines := normalize(answer.Errors)
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
		// Identical lines are adjacent, because lines are sorted.
		if i > 0 && comparePlaces(lines[i-1], lines[i]) == 0 && lines[i-1].identity() == lines[i].identity() {
			first[i] = first[i-1]
		}
	}
	return side{lines: lines, first: first, paired: make([]bool, len(lines)), copies: make([]bool, len(lines))}
}

// markCopies marks the unpaired lines that only repeat a line of their side.
func (p *side) markCopies() {
	said := make([]bool, len(p.lines))
	for i, paired := range p.paired {
		if paired {
			said[p.first[i]] = true
		}
	}
	for i, paired := range p.paired {
		if !paired {
			p.copies[i] = p.copies[i] || said[p.first[i]]
			said[p.first[i]] = true
		}
	}
}

// repeats returns 1 if a line repeats an earlier one, else 0.
func (p *side) repeats(i int) int {
	if p.first[i] < i {
		return 1
	}
	return 0
}

// available reports whether a line still needs a partner.
func (p *side) available(i int) bool {
	return !p.paired[i] && !p.copies[i] && !p.lines[i].empty()
}

type comparison struct {
	native, declarative side
	chosen              []link
	explained           []explainedLine
	alone               map[explainedLine]bool // of and line of those explained without the other side
	unchanged           []unchangedLine
	dropped             map[int]*difference.Dropped // by native line
}

// pairUp chooses among links and marks their lines as paired.
func (c *comparison) pairUp(links []link) {
	for _, link := range assign(links) {
		c.native.paired[link.native] = true
		c.declarative.paired[link.declarative] = true
		c.chosen = append(c.chosen, link)
	}
}
