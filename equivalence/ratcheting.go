package equivalence

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// unchangedLine is a native line that agrees, exactly or by a rule, with an error that the schema drops.
type unchangedLine struct {
	line int
	rule *Rule // or nil
}

// explainByRatcheting explains native errors that agree with errors that the schema drops because an update
// did not change the value. Only dropped errors count, not those that it reports. It returns the comparison
// with the dropped errors, or nil if there are none.
func (c *comparison) explainByRatcheting(m *Matcher, withoutRatcheting side) *comparison {
	if len(withoutRatcheting.lines) == 0 {
		return nil
	}
	c.declarative.takeFrom(&withoutRatcheting)
	left := c.native
	left.paired = slices.Clone(c.native.paired)
	dropped := &comparison{native: left, declarative: withoutRatcheting}
	dropped.pairUp(dropped.agreements(m.rules[kindWording], m.origin, m.policy))
	dropped.unjoin(m.rules[kindJoins])
	dropped.hide(m.rules[kindHides])
	for i := range c.native.lines {
		if dropped.native.paired[i] && !c.native.paired[i] {
			c.native.paired[i] = true
			c.unchanged = append(c.unchanged, unchangedLine{i, dropped.ruleOf(i)})
		}
	}
	return dropped
}

// findDropped finds for each remaining native error the dropped error that is most like it, as on a create.
// An exception that accepts their difference accepts the native error of an update, too.
func (c *comparison) findDropped(dropped *comparison) {
	if dropped == nil {
		return
	}
	dropped.native.paired, dropped.native.copies = slices.Clone(c.native.paired), c.native.copies
	dropped.declarative.markCopies()
	dropped.chosen = nil
	dropped.pairUp(dropped.nearMisses())
	dropped.pairUp(dropped.containing())
	c.dropped = map[int]*difference.Dropped{}
	for _, link := range dropped.chosen {
		c.dropped[link.native] = &difference.Dropped{
			Error: dropped.declarative.lines[link.declarative].err, Count: dropped.declarative.times(link.declarative), Class: link.class,
		}
	}
}

// times returns how often a side reports a line: once, and its copies.
func (p *side) times(i int) int {
	times := 1
	for j, first := range p.first {
		if j != i && first == p.first[i] && p.copies[j] {
			times++
		}
	}
	return times
}

// takeFrom marks the lines of a different answer of the same side that p also has, with their counts, so that
// they get no partner. They are not paired, because p already shows whether the other side reports them.
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

// ruleOf returns the rule that paired or explained a native line.
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
