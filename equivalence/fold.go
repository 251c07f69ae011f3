package equivalence

import (
	"slices"
)

// none stands for no line of a side.
const none = -1

// row is a pair in the making. Lines of a side that say the very same are one.
type row struct {
	at                  line
	native, declarative int // the first of the lines that say so
	class               Class
	rule, repeats       *Rule
	unstable            bool // one of the lines is
	// extra says that the lines repeat what another row explains without an error of the other side.
	extra bool
	// natives and declaratives count the lines. Of them so many found no partner.
	natives, declaratives               int
	surplusNatives, surplusDeclaratives int
}

// rowKey tells rows apart.
type rowKey struct {
	native, declarative int
	class               Class
	rule                *Rule
}

// rows are in the order in which they were added, until they are sorted.
type rows struct {
	*comparison
	list  []*row
	known map[rowKey]*row
}

// rows gives what was chosen, explained and left over, each once, in canonical order.
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
		all.row(c.native.lines[unchanged.line], unchanged.line, none, Ratcheting, unchanged.rule).natives++
	}
	for i, line := range c.native.lines {
		if !c.native.paired[i] && !c.native.copies[i] {
			all.row(line, i, none, TooLoose, nil).natives++
		}
	}
	for i, line := range c.declarative.lines {
		if !c.declarative.paired[i] && !c.declarative.copies[i] {
			all.row(line, none, i, TooStrict, nil).declaratives++
		}
	}
	// Stable: what says the same is shown in the order of the steps of Match.
	slices.SortStableFunc(all.list, func(a, b *row) int { return comparePlaces(a.at, b.at) })
	all.fold(repeats)
	slices.SortStableFunc(all.list, func(a, b *row) int { return comparePlaces(a.at, b.at) })
	for _, folded := range all.list {
		folded.count(c, repeats)
	}
	return all.list
}

// row gives the row of two lines, or of one, and adds it where there is none.
func (r *rows) row(at line, native, declarative int, class Class, rule *Rule) *row {
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

// explained adds a line that a rule explains. The line of the other side may stand in
// several rows, and counts once in each.
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

// fold adds the lines that only repeat another one to the first row of that.
func (r *rows) fold(repeats []*Rule) {
	natives, declaratives := map[int]*row{}, map[int]*row{}
	for _, each := range slices.Backward(r.list) {
		natives[each.native], declaratives[each.declarative] = each, each
	}
	for i := range r.native.lines {
		if !r.native.paired[i] && r.native.copies[i] {
			of := natives[r.native.first[i]]
			if of.explainsAlone() && !of.mayRepeat(nativeSide, r.native.lines[i], repeats) {
				of = r.row(r.native.lines[i], i, none, Count, nil)
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

// explainsAlone says that no error of the schema stands in the row, and yet the native one is explained:
// by what the schema would say. That it would say a thing once explains the thing once.
func (r *row) explainsAlone() bool {
	return r.native != none && r.declarative == none && (r.class == "" || r.class == Ratcheting)
}

// mayRepeat finds a rule that lets a side say a thing more than once.
func (r *row) mayRepeat(of sideName, said line, rules []*Rule) bool {
	at := slices.IndexFunc(rules, func(rule *Rule) bool {
		return rule.of == of && rule.concerns(said) && rule.pattern(of).matchesLine(said)
	})
	if at >= 0 {
		r.repeats = rules[at]
	}
	return at >= 0
}

// count finds out whether a rule explains that the two sides say a thing unequally
// often on which they agree.
func (r *row) count(c *comparison, rules []*Rule) {
	if r.class != "" || r.native == none || r.declarative == none || r.surplusNatives == r.surplusDeclaratives {
		return
	}
	of, said := nativeSide, c.native.lines[r.native]
	if r.surplusDeclaratives > r.surplusNatives {
		of, said = declarativeSide, c.declarative.lines[r.declarative]
	}
	if !r.mayRepeat(of, said, rules) {
		r.class = Count
	}
}

// pair gives the row to the outside.
func (r *row) pair(c *comparison) Pair {
	if r.unstable {
		r.class, r.rule, r.repeats = Unstable, nil, nil
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
	return pair
}

// explainedTimes is how many lines that say the same as one have found an explanation.
func (c *comparison) explainedTimes(native int) int {
	times := 0
	for i := native; i < len(c.native.lines) && c.native.first[i] == native; i++ {
		if c.native.paired[i] {
			times++
		}
	}
	return times
}
