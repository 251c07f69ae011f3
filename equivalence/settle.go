package equivalence

// settled is a pair that is no one-to-one link, with the line at whose place it
// is shown.
type settled struct {
	at   line
	pair Pair
}

// sides gives the party of a side and the other one.
func (c *comparison) sides(of sideName) (this, other *party) {
	if of == nativeSide {
		return &c.native, &c.declarative
	}
	return &c.declarative, &c.native
}

// settle takes an error out of the comparison: a rule explains it together with
// an error of the other side, or alone, where with is nil.
func (c *comparison) settle(of sideName, i int, with *line, rule *Rule) {
	this, _ := c.sides(of)
	this.paired[i] = true
	pair := Pair{Rule: rule}
	if of == nativeSide {
		pair.Native = this.lines[i].err
	} else {
		pair.Declarative = this.lines[i].err
	}
	if with != nil && of == nativeSide {
		pair.Declarative = with.err
	} else if with != nil {
		pair.Native = with.err
	}
	c.settled = append(c.settled, settled{this.lines[i], pair})
}

// unjoin pairs an error that joins several texts with the errors of the other
// side that have one of them each: with all of them, or with none.
func (c *comparison) unjoin(rules []*Rule) {
	for _, rule := range rules {
		joining, single := c.sides(rule.of)
		found := single.byKey(rule.partKey)
		if len(found) == 0 {
			continue
		}
		for i := range joining.lines {
			if line := &joining.lines[i]; joining.available(i) && rule.concerns(*line) {
				partners := single.partners(rule.parts(*line), *line, found)
				for _, partner := range partners {
					c.settle(rule.of.other(), partner, line, rule)
				}
				joining.paired[i] = len(partners) > 0
			}
		}
	}
}

// partners finds an error for each of the parts, or none at all.
func (p *party) partners(parts []string, joined line, found map[string][]int) []int {
	var partners []int
	taken := map[int]bool{}
	for _, part := range parts {
		for _, i := range found[joinKey(joined.field, part)] {
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

// hide explains what one side says about fields which the other did not look at
// any more, because of an error that both report.
func (c *comparison) hide(rules []*Rule) {
	for _, rule := range rules {
		stopping, talking := c.sides(rule.of)
		stops := map[string]bool{}
		for i, line := range stopping.lines {
			if stopping.paired[i] && rule.stopsAt(line) {
				stops[rule.hidden(line)] = true
			}
		}
		if len(stops) == 0 {
			continue
		}
		for i, line := range talking.lines {
			if !talking.paired[i] && rule.hiddenBelow(line, stops) {
				c.settle(rule.of.other(), i, nil, rule)
			}
		}
	}
}

// hiddenBelow says whether a field is one of those that were not looked at.
func (r *Rule) hiddenBelow(l line, stops map[string]bool) bool {
	depth := len(r.hides.steps)
	if len(l.steps) < depth || len(l.steps) == depth && r.hidesItself() {
		return false
	}
	return stops[stepsKey(l.steps[:depth])]
}

// fold explains copies of errors on which both sides agree.
func (c *comparison) fold(rules []*Rule) {
	for _, rule := range rules {
		repeating, _ := c.sides(rule.of)
		said := repeating.saidTogether()
		for i, line := range repeating.lines {
			if repeating.copies[i] && !repeating.paired[i] && said[line.identity()] &&
				rule.concerns(line) && rule.pattern(rule.of).matchesLine(line) {
				c.settle(rule.of, i, nil, rule)
			}
		}
	}
}

// saidTogether gives what the side says in agreement with the other one.
func (p *party) saidTogether() map[string]bool {
	said := map[string]bool{}
	for i, line := range p.lines {
		if p.paired[i] && !p.copies[i] {
			said[line.identity()] = true
		}
	}
	return said
}

// What package admission marks refusals with that name no field; it must not be
// imported from here.
const (
	originText   = "admission/text"
	originDenied = "admission/denied"
)

// refuse compares by the verdict what a validator refuses that only says no: such a
// refusal alone is in a pair with each error of the schema. There must be one.
func (c *comparison) refuse(rule *Rule) {
	if rule == nil || len(c.native.lines) != 1 || c.native.lines[0].err.Origin != originDenied || !c.native.lines[0].mute() {
		return
	}
	for i := range c.declarative.lines {
		if c.declarative.available(i) {
			c.settle(declarativeSide, i, &c.native.lines[0], rule)
			c.native.paired[0] = true
		}
	}
}
