package lang

import (
	"regexp/syntax"
	"slices"
)

// walk visits states breadth first and each one once, so that it reaches each by a shortest text.
type walk[S comparable] struct {
	most    int // states; with more it gives up
	reached map[S]step[S]
	queue   []S
}

// step is how a state was reached first.
type step[S comparable] struct {
	from S
	by   rune // nothing: a first state
}

// nothing is the rune of first states.
const nothing = -1

func newWalk[S comparable](most int) *walk[S] {
	return &walk[S]{most: most, reached: map[S]step[S]{}}
}

// reach visits a state later, if it is new.
func (w *walk[S]) reach(state, from S, by rune) {
	if _, known := w.reached[state]; !known {
		w.reached[state] = step[S]{from, by}
		w.queue = append(w.queue, state)
	}
}

// next returns the next state, if there is one and the walk did not give up.
func (w *walk[S]) next() (state S, more bool) {
	if len(w.queue) == 0 || !w.complete() {
		return state, false
	}
	state, w.queue = w.queue[0], w.queue[1:]
	return state, true
}

// complete reports whether the walk did not give up.
func (w *walk[S]) complete() bool { return len(w.reached) < w.most }

// text returns the text by which a state was reached.
func (w *walk[S]) text(state S) string {
	var runes []rune
	for at := w.reached[state]; at.by != nothing; at = w.reached[at.from] {
		runes = append(runes, at.by)
	}
	slices.Reverse(runes)
	return string(runes)
}

// mostPairs bounds the walks below; patterns of exceptions need a few hundred states.
const mostPairs = 100_000

// Meet returns a shortest text that both expressions match as a whole, if one is found. Conditions such as \b count as
// met, so it may be none. complete means that, if none was found, there is none.
func Meet(a, b *Automaton) (text string, found, complete bool) {
	type pair struct{ a, b uint32 }
	w := newWalk[pair](mostPairs)
	reach := func(a1, b1 uint32, from pair, by rune) {
		inB := b.closure(anywhere, b1)
		for _, p := range a.closure(anywhere, a1) {
			for _, q := range inB {
				w.reach(pair{p, q}, from, by)
			}
		}
	}
	reach(a.start(), b.start(), pair{}, nothing)
	for at, more := w.next(); more; at, more = w.next() {
		if a.isMatch(at.a) && b.isMatch(at.b) {
			return w.text(at), true, true
		}
		p, q := &a.prog.Inst[at.a], &b.prog.Inst[at.b]
		if r, both := sharedRune(p, q); both {
			reach(p.Out, q.Out, at, r)
		}
	}
	return "", false, w.complete()
}

// sharedRune returns a rune that both instructions read, if one exists. Trying the bounds of the ranges is enough:
// overlapping ranges share one.
func sharedRune(p, q *syntax.Inst) (rune, bool) {
	for _, r := range slices.Concat(bounds(p), bounds(q)) {
		if p.MatchRune(r) && q.MatchRune(r) {
			return r, true
		}
	}
	return 0, false
}

func bounds(inst *syntax.Inst) []rune {
	if inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL {
		return []rune{'a'}
	}
	return inst.Rune
}

// Texts are those that an expression matches as a whole. Conditions such as \b count as met.
type Texts struct {
	of *Automaton
	// runes are some that each instruction reads.
	runes [][]rune
}

// NewTexts returns the texts of an expression whose characters are candidates, or bounds of the ranges of its classes.
func NewTexts(of *Automaton, candidates []rune) Texts {
	t := Texts{of, make([][]rune, len(of.prog.Inst))}
	for i := range of.prog.Inst {
		inst := &of.prog.Inst[i]
		for _, r := range slices.Concat(candidates, bounds(inst)) {
			if inst.MatchRune(r) && !slices.Contains(t.runes[i], r) {
				t.runes[i] = append(t.runes[i], r)
			}
		}
	}
	return t
}

// Counter counts parts of a text, character by character. Its first state is the zero value.
type Counter[S comparable] interface {
	Step(s S, r rune) S
	// Count returns the count if the text ends here.
	Count(s S) int
}

// Differ returns two texts that have different counts, the smaller one first, if it finds such texts.
func Differ[S comparable](t Texts, c Counter[S]) (less, more string, differ bool) {
	type place struct {
		pc uint32
		at S
	}
	w, first := newWalk[place](mostPairs), map[int]place{} // by count
	reach := func(pc uint32, at S, from place, by rune) {
		for _, reached := range t.of.closure(anywhere, pc) {
			w.reach(place{reached, at}, from, by)
		}
	}
	var zero S
	reach(t.of.start(), zero, place{}, nothing)
	for s, found := w.next(); found; s, found = w.next() {
		if t.of.isMatch(s.pc) {
			count := c.Count(s.at)
			first[count] = s
			for other, at := range first {
				switch {
				case other < count:
					return w.text(at), w.text(s), true
				case other > count:
					return w.text(s), w.text(at), true
				}
			}
		}
		stepped := map[S]bool{}
		for _, r := range t.runes[s.pc] {
			if next := c.Step(s.at, r); !stepped[next] {
				stepped[next] = true
				reach(t.of.prog.Inst[s.pc].Out, next, s, r)
			}
		}
	}
	return "", "", false
}
