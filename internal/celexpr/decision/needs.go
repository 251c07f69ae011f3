package decision

// Needs returns atoms with the values that they need until the objects show a side; none: they show it. It is a guess: of
// several ways it takes the one with the fewest atoms, and a change of one atom may change others.
func (e Evaluation) Needs(to Side) []Side {
	if to == Whole {
		return e.root.toBe(isTrue)
	}
	needs, _ := e.root.toShow(to)
	return needs
}

// Whole stands for the whole condition, which is true.
var Whole = Side{Atom: -1, Value: true}

// needs are atoms with the values that they need.
type needs []Side

// fewest has the shortest of the lists that it was given.
type fewest struct {
	needs
	has bool
}

func (f *fewest) add(lists ...needs) {
	var joined needs
	for _, one := range lists {
		joined = append(joined, one...)
	}
	if !f.has || len(joined) < len(f.needs) {
		f.needs, f.has = joined, true
	}
}

// toBe returns what a part needs to have a value.
func (r *result) toBe(want truth) needs {
	var best fewest
	switch {
	case r.is == want:
	case r.kind == leaf:
		return needs{{r.atom, (want == isTrue) != r.opposite}}
	case r.kind == choice:
		best.add(r.parts[0].toBe(isTrue), r.parts[1].toBe(want))
		best.add(r.parts[0].toBe(isFalse), r.parts[2].toBe(want))
	case r.kind.deciding() == want:
		for _, part := range r.some() {
			best.add(part.toBe(want))
		}
	default:
		best.add(r.others(nil))
	}
	return best.needs
}

// others returns what all parts but one need so that they do not decide.
func (r *result) others(but *result) (all needs) {
	for _, part := range r.parts {
		if part != but {
			all = append(all, part.toBe(r.kind.deciding().not())...)
		}
	}
	return all
}

// toShow returns what a part needs to decide and to show a side. It returns false if it does not have the atom.
func (r *result) toShow(to Side) (needs, bool) {
	var best fewest
	switch r.kind {
	case leaf:
		return r.toBe(truthOf(to.Value != r.opposite)), r.atom == to.Atom
	case choice:
		when, then, otherwise := r.parts[0], r.parts[1], r.parts[2]
		if inner, has := when.toShow(to); has {
			best.add(inner, then.toBe(isTrue), otherwise.toBe(isFalse))
			best.add(inner, then.toBe(isFalse), otherwise.toBe(isTrue))
		}
		if inner, has := then.toShow(to); has {
			best.add(inner, when.toBe(isTrue))
		}
		if inner, has := otherwise.toShow(to); has {
			best.add(inner, when.toBe(isFalse))
		}
	default:
		for _, part := range r.some() {
			if inner, has := part.toShow(to); has {
				best.add(inner, r.others(part))
			}
		}
	}
	return best.needs, best.has
}

// some returns the parts, and for a loop without items the one that an item would have.
func (r *result) some() []*result {
	if len(r.parts) == 0 && (r.kind == each || r.kind == anyOf) {
		return []*result{r.node.parts[0].blank()}
	}
	return r.parts
}

// blank returns a part without values.
func (n *node) blank() *result {
	r := &result{node: n}
	if n.kind != each && n.kind != anyOf {
		for _, part := range n.parts {
			r.parts = append(r.parts, part.blank())
		}
	}
	return r
}
