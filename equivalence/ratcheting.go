package equivalence

import (
	"slices"
)

// unchangedLine is a native line that agrees with an error which the schema drops, by a rule
// or exactly.
type unchangedLine struct {
	line int
	rule *Rule // or nil
}

// explainRatcheted explains the native errors that agree with what the schema would say if it
// did not drop the errors of values that an update did not change. Only what it drops
// counts: the evidence for a native error is an error that is not there.
func (c *comparison) explainRatcheted(m *Matcher, unratcheted side) {
	if len(unratcheted.lines) == 0 {
		return
	}
	c.declarative.takeFrom(&unratcheted)
	left := c.native
	left.paired = slices.Clone(c.native.paired)
	dropped := &comparison{native: left, declarative: unratcheted}
	dropped.pairUp(dropped.agreements(m.rules[Wording], m.origin, m.policy))
	dropped.unjoin(m.rules[Joins])
	dropped.hide(m.rules[Hides])
	for i := range c.native.lines {
		if dropped.native.paired[i] && !c.native.paired[i] {
			c.native.paired[i] = true
			c.unchanged = append(c.unchanged, unchangedLine{i, dropped.ruleOf(i)})
		}
	}
}

// takeFrom marks the lines of another answer of the same side that this one has too, each
// as often, so that no partner is sought for them. They are not paired: whether the other side
// reports them was found out before.
func (p *side) takeFrom(other *side) {
	kept := map[string]int{}
	for _, line := range p.lines {
		kept[line.identity()]++
	}
	for i, line := range other.lines {
		if kept[line.identity()] > 0 {
			kept[line.identity()]--
			other.copies[i] = true
		}
	}
}

// ruleOf is the rule by which a native line was paired or explained.
func (c *comparison) ruleOf(native int) *Rule {
	for _, link := range c.chosen {
		if link.native == native {
			return link.rule
		}
	}
	for _, explained := range c.explained {
		if explained.of == nativeSide && explained.line == native || explained.of == declarativeSide && explained.with == native {
			return explained.rule
		}
	}
	return nil
}
