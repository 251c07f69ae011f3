package lang

import "slices"

// Language is a set of texts: those that have a match of each of some expressions and whose length is between two
// bounds.
type Language struct {
	low, high int64 // in characters; high -1: no bound
	matches   []*Automaton
	// unknown means that an expression cannot be followed, so the language is smaller than it looks.
	unknown bool
}

// All returns the language of all texts.
func All() *Language { return &Language{high: -1} }

// Unknown returns a language about whose texts nothing is known.
func Unknown() *Language { return &Language{high: -1, unknown: true} }

// AtLeast removes the texts with fewer characters.
func (l *Language) AtLeast(length int64) { l.low = max(l.low, length) }

// AtMost removes the texts with more characters.
func (l *Language) AtMost(length int64) {
	if l.high < 0 || length < l.high {
		l.high = max(length, 0)
	}
}

// Matching removes the texts without a match of an expression. Assertions about lines and words are not followed.
func (l *Language) Matching(source string) {
	if a := New(source); a != nil && a.exact() {
		l.matches = append(l.matches, a)
	} else {
		l.unknown = true
	}
}

// Empty reports whether the language provably has no text.
func (l *Language) Empty() bool {
	found, complete := search(l, All(), func(in, _ bool) bool { return in })
	return complete && !found
}

// Within reports whether another language provably contains all texts of this one.
func (l *Language) Within(of *Language) bool {
	if of.unknown {
		return false
	}
	own, other := *l, *of
	// Bounds that this language satisfies anyway need no counting.
	if other.low <= own.low {
		other.low = 0
	}
	if own.high >= 0 && own.high <= other.high {
		other.high = -1
	}
	const counts = 1000 // in characters; beyond it a bound of this language proves nothing more
	if own.high > counts && other.high < 0 {
		own.high = -1
	}
	if len(other.matches) == 0 && other.low == 0 && other.high < 0 {
		return true
	}
	found, complete := search(&own, &other, func(in, inOther bool) bool { return in && !inOther })
	return complete && !found
}

// mostTogether is the maximum number of states of a search.
const mostTogether = 10_000

// search goes through the texts of two languages together. found means that one of the texts is wanted, and complete
// that the search did not give up.
func search(a, b *Language, wanted func(inA, inB bool) bool) (found, complete bool) {
	both := slices.Concat(a.matches, b.matches)
	counted := max(a.low, a.high+1, b.low, b.high+1)
	if counted > mostTogether {
		return false, false
	}
	runes := samples(both...)
	automata := make([]*deterministic, len(both))
	states := make([]uint32, len(both))
	for i, each := range both {
		automata[i], states[i] = newDeterministic(each), started
	}
	accept := func(from, to int) bool {
		for i := from; i < to; i++ {
			if !automata[i].accepts(states[i]) {
				return false
			}
		}
		return true
	}
	together := numbering{numbers: map[string]uint32{}} // states of all automata
	type place struct {
		together uint32
		length   int64
	}
	w := newWalk[place](mostTogether)
	w.reach(place{together: together.number(states)}, place{}, nothing)
	for at, more := w.next(); more; at, more = w.next() {
		states = together.all[at.together]
		inA := a.holds(at.length) && accept(0, len(a.matches))
		inB := b.holds(at.length) && accept(len(a.matches), len(both))
		if wanted(inA, inB) {
			return true, true
		}
		if a.high >= 0 && at.length > a.high || slices.Contains(states[:len(a.matches)], dead) {
			continue // no text of A begins like this
		}
		for _, r := range runes {
			next := make([]uint32, len(states))
			for i, each := range automata {
				next[i] = each.step(states[i], r)
			}
			w.reach(place{together.number(next), min(at.length+1, counted)}, at, r)
		}
	}
	return false, w.complete()
}

func (l *Language) holds(length int64) bool {
	return length >= l.low && (l.high < 0 || length <= l.high)
}
