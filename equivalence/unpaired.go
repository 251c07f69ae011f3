package equivalence

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// explainedLine is a line that a rule explains without pairing it one to one.
type explainedLine struct {
	of   sideName
	line int
	with int // of the other side, or none
	rule *Rule
}

// sides returns a side and the other one.
func (c *comparison) sides(of sideName) (this, other *side) {
	if of == nativeSide {
		return &c.native, &c.declarative
	}
	return &c.declarative, &c.native
}

// explain marks an error as explained by a rule, together with an error of the other side or alone.
func (c *comparison) explain(of sideName, i, with int, rule *Rule) {
	this, _ := c.sides(of)
	this.paired[i] = true
	c.explained = append(c.explained, explainedLine{of, i, with, rule})
	if with == none {
		if c.alone == nil {
			c.alone = map[explainedLine]bool{}
		}
		c.alone[explainedLine{of: of, line: i}] = true
	}
}

// unjoin pairs an error that joins several texts with one error of the other side for each text, or with
// none if one is missing.
func (c *comparison) unjoin(rules []*Rule) {
	for _, rule := range rules {
		joining, single := c.sides(rule.of)
		found := single.byKey(rule.partKey)
		if len(found) == 0 {
			continue
		}
		for i := range joining.lines {
			if line := &joining.lines[i]; joining.available(i) && rule.mayMatch(*line) {
				partners := single.partners(rule.parts(*line), *line, found)
				for _, partner := range partners {
					c.explain(rule.of.other(), partner, i, rule)
				}
				joining.paired[i] = len(partners) > 0
			}
		}
	}
}

// partners returns an error for each of the parts, or none at all.
func (p *side) partners(parts []string, joined line, found map[string][]int) []int {
	var partners []int
	taken := map[int]bool{}
	for _, part := range parts {
		for _, i := range found[fieldpath.JoinKey(joined.field, part)] {
			if !p.paired[i] && !taken[i] && !p.lines[i].contradicts(joined) {
				taken[i], partners = true, append(partners, i)
				break
			}
		}
	}
	if len(partners) < len(parts) {
		return nil
	}
	return partners
}

// hide explains errors of one side at fields that the other side did not check, because of an error that
// both report.
func (c *comparison) hide(rules []*Rule) {
	for _, rule := range rules {
		stopping, talking := c.sides(rule.of)
		stops := map[string]bool{}
		for i, line := range stopping.lines {
			if stopping.paired[i] && rule.stopsAt(line) && !c.alone[explainedLine{of: rule.of, line: i}] {
				stops[rule.hidden(line)] = true
				if partner, has := c.partner(rule.of, i); has && rule.hidesBelow() {
					stops[rule.hidden(partner)] = true
				}
			}
		}
		if len(stops) == 0 {
			continue
		}
		for i, line := range talking.lines {
			if !talking.paired[i] && rule.hiddenBelow(line, stops) {
				c.explain(rule.of.other(), i, none, rule)
			}
		}
	}
}

// partner returns the error of the other side that an error is paired with.
func (c *comparison) partner(of sideName, i int) (line, bool) {
	for _, link := range c.chosen {
		if of == nativeSide && link.native == i {
			return c.declarative.lines[link.declarative], true
		}
		if of == declarativeSide && link.declarative == i {
			return c.native.lines[link.native], true
		}
	}
	return line{}, false
}

// hiddenBelow reports whether a field was not checked because of stops.
func (r *Rule) hiddenBelow(l line, stops map[string]bool) bool {
	if r.hidesBelow() {
		for depth := 1; depth < len(l.steps); depth++ {
			if stops[stepsKey(l.steps[:depth])] {
				return true
			}
		}
		return false
	}
	depth := len(r.hides.steps)
	if len(l.steps) < depth || len(l.steps) == depth && r.hidesItself() {
		return false
	}
	return stops[stepsKey(l.steps[:depth])]
}

// refuse pairs a native refusal without a reason, if it is the only native error, with every error of the
// schema, if there are any.
func (c *comparison) refuse(rule *Rule) {
	if rule == nil || len(c.native.lines) != 1 || c.native.lines[0].err.Origin != fielderror.OriginDenied || !c.native.lines[0].mute() {
		return
	}
	for i := range c.declarative.lines {
		if c.declarative.available(i) {
			c.explain(declarativeSide, i, 0, rule)
			c.native.paired[0] = true
		}
	}
}

// explainDecoding pairs each native error of a decoder with the errors of the schema at the same field. If there
// is such a pair, both refuse the object for this value, and the validator saw nothing of it: the other errors of
// the schema are explained. A value that the schema accepts remains a difference.
func (c *comparison) explainDecoding(rule *Rule) {
	if rule == nil {
		return
	}
	at := map[string]int{}
	for i, line := range c.native.lines {
		if fielderror.IsDecoding(line.err) && c.native.available(i) {
			at[line.field] = i
		}
	}
	both := false
	for i, line := range c.declarative.lines {
		if native, has := at[line.field]; has && c.declarative.available(i) && line.aboutValue() {
			c.explain(declarativeSide, i, native, rule)
			c.native.paired[native], both = true, true
		}
	}
	for i, line := range c.declarative.lines {
		if both && c.declarative.available(i) && !line.rulesNotChecked() {
			c.explain(declarativeSide, i, none, rule)
		}
	}
}

// aboutValue reports whether an error of a schema may be that of a value of a wrong type or form: no value is missing,
// and no CEL rule is violated, which may be about other fields or the old object.
func (l line) aboutValue() bool {
	return l.err.Type != field.ErrorTypeRequired && l.err.Origin != fielderror.OriginRule && !l.rulesNotChecked()
}

// explainUnchecked explains the schema's report that it did not check its rules, and the native errors
// that agree with errors of these rules. Other native errors, and the errors that kept the rules from
// running, remain differences.
func (c *comparison) explainUnchecked(m *Matcher, rules side) {
	if m.unchecked == nil {
		return
	}
	stopped := false
	for i, line := range c.declarative.lines {
		if line.rulesNotChecked() && len(c.declarative.lines) > 1 && !c.declarative.paired[i] {
			c.explain(declarativeSide, i, none, m.unchecked)
			stopped = true
		}
	}
	if !stopped {
		return
	}
	left := c.native
	left.paired = slices.Clone(c.native.paired)
	checked := &comparison{native: left, declarative: rules}
	checked.pairUp(checked.agreements(m.rules[kindWording], m.origin, nil))
	checked.unjoin(m.rules[kindJoins])
	for i := range c.native.lines {
		if checked.native.paired[i] && !c.native.paired[i] {
			c.explain(nativeSide, i, none, m.unchecked)
		}
	}
}
