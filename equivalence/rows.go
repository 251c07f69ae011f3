package equivalence

import (
	"slices"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// none means no line of a side.
const none = -1

// row is a pair that is being built. Identical lines of a side share it.
type row struct {
	at                  line
	native, declarative int // the first of the identical lines
	class               difference.Class
	rule, repeats       *Rule
	unstable            bool // one of the lines is
	// extra is true if the lines repeat a line that is explained without an error of the other side.
	extra bool
	// natives and declaratives count the lines, the surplus fields those without a partner.
	natives, declaratives               int
	surplusNatives, surplusDeclaratives int
}

// rowKey identifies a row.
type rowKey struct {
	native, declarative int
	class               difference.Class
	rule                *Rule
}

// rows holds rows in the order in which they were added, until they are sorted.
type rows struct {
	*comparison
	list  []*row
	known map[rowKey]*row
}

// rows returns the rows of all chosen, explained and remaining lines, in canonical order.
func (c *comparison) rows(repeats []*Rule) []*row {
	all := rows{comparison: c, known: map[rowKey]*row{}}
	for _, link := range c.chosen {
		added := all.row(c.native.lines[link.native], link.native, link.declarative, link.class, link.rule)
		added.natives++
		added.declaratives++
	}
	for _, line := range c.explained {
		all.explained(line)
	}
	for _, unchanged := range c.unchanged {
		all.row(c.native.lines[unchanged.line], unchanged.line, none, difference.Ratcheting, unchanged.rule).natives++
	}
	for i, line := range c.native.lines {
		if !c.native.paired[i] && !c.native.copies[i] {
			all.row(line, i, none, difference.TooLoose, nil).natives++
		}
	}
	for i, line := range c.declarative.lines {
		if !c.declarative.paired[i] && !c.declarative.copies[i] {
			all.row(line, none, i, difference.TooStrict, nil).declaratives++
		}
	}
	// Stable: rows that compare equal keep the order of the steps of Match.
	slices.SortStableFunc(all.list, func(a, b *row) int { return comparePlaces(a.at, b.at) })
	all.addRepeats(repeats)
	slices.SortStableFunc(all.list, func(a, b *row) int { return comparePlaces(a.at, b.at) })
	for _, folded := range all.list {
		folded.count(c, repeats)
	}
	return all.list
}

// row returns the row of one or two lines, and adds it if it is new.
func (r *rows) row(at line, native, declarative int, class difference.Class, rule *Rule) *row {
	unstable := false
	if native != none {
		unstable = r.native.lines[native].unstable
		native = r.native.first[native]
	}
	if declarative != none {
		unstable = unstable || r.declarative.lines[declarative].unstable
		declarative = r.declarative.first[declarative]
	}
	key := rowKey{native, declarative, class, rule}
	found := r.known[key]
	if found == nil {
		found = &row{at: at, native: native, declarative: declarative, class: class, rule: rule}
		r.known[key] = found
		r.list = append(r.list, found)
	}
	found.unstable = found.unstable || unstable
	return found
}

// explained adds a line that a rule explains. The line of the other side may be in several rows, and
// counts once in each.
func (r *rows) explained(s explainedLine) {
	if s.of == nativeSide {
		added := r.row(r.native.lines[s.line], s.line, s.with, "", s.rule)
		added.natives++
		if s.with != none {
			added.declaratives = 1
		}
		return
	}
	added := r.row(r.declarative.lines[s.line], s.with, s.line, "", s.rule)
	added.declaratives++
	if s.with != none {
		added.natives = 1
	}
}

// addRepeats adds lines that only repeat an earlier line to the first row of that line.
func (r *rows) addRepeats(repeats []*Rule) {
	natives, declaratives := map[int]*row{}, map[int]*row{}
	for _, each := range slices.Backward(r.list) {
		natives[each.native], declaratives[each.declarative] = each, each
	}
	for i := range r.native.lines {
		if !r.native.paired[i] && r.native.copies[i] {
			of := natives[r.native.first[i]]
			if of.explainsAlone() && !of.mayRepeat(nativeSide, r.native.lines[i], repeats) {
				of = r.row(r.native.lines[i], i, none, difference.Count, nil)
				of.extra = true
			} else {
				of.surplusNatives++
			}
			of.natives++
			of.unstable = of.unstable || r.native.lines[i].unstable
		}
	}
	for i := range r.declarative.lines {
		if !r.declarative.paired[i] && r.declarative.copies[i] {
			of := declaratives[r.declarative.first[i]]
			of.declaratives++
			of.surplusDeclaratives++
			of.unstable = of.unstable || r.declarative.lines[i].unstable
		}
	}
}

// explainsAlone reports whether the native error is explained without a schema error in the row, by one
// that the schema would report. That explains only one native error.
func (r *row) explainsAlone() bool {
	return r.native != none && r.declarative == none && (r.class == "" || r.class == difference.Ratcheting)
}

// mayRepeat reports whether a rule lets a side repeat a line, and records the rule.
func (r *row) mayRepeat(of sideName, said line, rules []*Rule) bool {
	at := slices.IndexFunc(rules, func(rule *Rule) bool {
		return rule.of == of && rule.mayMatch(said) && rule.pattern(of).matchesLine(said)
	})
	if at >= 0 {
		r.repeats = rules[at]
	}
	return at >= 0
}

// count sets class Count if the sides agree, but not on how often, and no rule explains that.
func (r *row) count(c *comparison, rules []*Rule) {
	if r.class != "" || r.native == none || r.declarative == none || r.surplusNatives == r.surplusDeclaratives {
		return
	}
	of, said := nativeSide, c.native.lines[r.native]
	if r.surplusDeclaratives > r.surplusNatives {
		of, said = declarativeSide, c.declarative.lines[r.declarative]
	}
	if !r.mayRepeat(of, said, rules) {
		r.class = difference.Count
	}
}

// pair returns the row as a Pair.
func (r *row) pair(c *comparison) Pair {
	if r.unstable {
		r.class, r.rule, r.repeats = difference.Unstable, nil, nil
	}
	pair := Pair{NativeCount: r.natives, DeclarativeCount: r.declaratives, Class: r.class, Rule: r.rule, Repeats: r.repeats}
	if r.native != none {
		pair.Native = c.native.lines[r.native].err
		for i := r.native; i < len(c.native.lines) && c.native.first[i] == r.native; i++ {
			if c.native.lines[i].err.CoveredByDeclarative {
				pair.NativeCovered++
			}
		}
		if r.extra {
			pair.NativeCovered = max(0, pair.NativeCovered-c.explainedTimes(r.native))
		}
	}
	if r.declarative != none {
		pair.Declarative = c.declarative.lines[r.declarative].err
	}
	if r.class == difference.TooLoose {
		pair.Dropped = c.dropped[r.native]
	}
	return pair
}

// explainedTimes returns how many lines identical to a native line are explained.
func (c *comparison) explainedTimes(native int) int {
	times := 0
	for i := native; i < len(c.native.lines) && c.native.first[i] == native; i++ {
		if c.native.paired[i] {
			times++
		}
	}
	return times
}
