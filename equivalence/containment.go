package equivalence

import "github.com/diffrun/diffrun/equivalence/difference"

// Costs of a link between a field and one that contains it: for each level between them, and for different types.
const (
	levelCost         = 2
	containedTypeCost = 1
)

// containing returns the links between errors where one field contains the other: a schema reports a rule
// where it is declared, hand-written code where the value is. Such a link names a difference of class
// Path, and never explains one.
func (c *comparison) containing() []link {
	table := linkTable{comparison: c, links: map[[2]int]link{}}
	table.contain(&c.native, &c.declarative, func(outer, inner int) (native, declarative int) { return outer, inner })
	table.contain(&c.declarative, &c.native, func(outer, inner int) (native, declarative int) { return inner, outer })
	return table.sorted()
}

// contain links available lines of outer with lines of inner at fields below theirs. If there are very
// many, each line gets only the partners near its place.
func (t *linkTable) contain(outer, inner *side, sides func(outer, inner int) (native, declarative int)) {
	containers := outer.byKey(placeKey)
	below := map[string][]int{}
	for i, line := range inner.lines {
		if _, named := placeKey(line); !named || !inner.available(i) {
			continue
		}
		for depth := range line.steps {
			if key := stepsKey(line.steps[:depth]); len(containers[key]) > 0 {
				below[key] = append(below[key], i)
			}
		}
	}
	for key, lines := range below {
		for n, i := range lines {
			for _, j := range band(containers[key], n, len(lines)) {
				native, declarative := sides(j, i)
				t.links[[2]int{native, declarative}] = link{
					native: native, declarative: declarative, class: difference.Path,
					cost: containmentCost(outer.lines[j], inner.lines[i]),
				}
			}
		}
	}
}

func containmentCost(outer, inner line) int {
	cost := levelCost * (len(inner.steps) - len(outer.steps))
	if outer.err.Type != inner.err.Type {
		cost += containedTypeCost
	}
	return cost
}

// placeKey returns the key of an error's field.
func placeKey(l line) (string, bool) {
	return stepsKey(l.steps), !l.mute() && !l.rulesNotChecked()
}

// band returns the partners of one of several lines: all of them or, if that makes more links than assign
// solves exactly, those near the place of the line.
func band(partners []int, place, lines int) []int {
	size := max(1, maxAssigned*maxAssigned/lines)
	if len(partners) <= size {
		return partners
	}
	start := min(place*len(partners)/lines, len(partners)-size)
	return partners[start : start+size]
}
