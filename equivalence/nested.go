package equivalence

// What a link between nested fields costs: the deeper one is below the other, the more,
// and a little more if the types differ.
const (
	levelCost           = 2
	otherNestedTypeCost = 1
)

// nested gives the links between errors of which one stands at a field that contains the
// other's: a schema reports a rule where it is declared, hand-written code where the value
// is. Such a link names a difference, of class Path, and never explains one.
func (c *comparison) nested() []link {
	table := linkTable{comparison: c, links: map[[2]int]link{}}
	table.contain(&c.native, &c.declarative, func(outer, inner int) (native, declarative int) { return outer, inner })
	table.contain(&c.declarative, &c.native, func(outer, inner int) (native, declarative int) { return inner, outer })
	return table.sorted()
}

// contain links the available lines of outer with those of inner whose fields are below
// theirs. Of very many lines at or below a field, each gets the partners about its place.
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
					native: native, declarative: declarative, class: Path,
					cost: nestedCost(outer.lines[j], inner.lines[i]),
				}
			}
		}
	}
}

func nestedCost(outer, inner line) int {
	cost := levelCost * (len(inner.steps) - len(outer.steps))
	if outer.err.Type != inner.err.Type {
		cost += otherNestedTypeCost
	}
	return cost
}

// placeKey finds an error by the parts of its field.
func placeKey(l line) (string, bool) {
	return stepsKey(l.steps), !l.mute() && !l.saysNotChecked()
}

// band gives the partners of one of several lines: all, or, where they would make more
// links than assign solves exactly, those about the place of the line.
func band(partners []int, place, lines int) []int {
	size := max(1, maxAssigned*maxAssigned/lines)
	if len(partners) <= size {
		return partners
	}
	start := min(place*len(partners)/lines, len(partners)-size)
	return partners[start : start+size]
}
