package equivalence

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordCounter is an automaton that counts how often a text has one of several words, without regard to case. A word
// begins and ends beside runes that are no letters. It is a tree of the words by their runes: node 0 is its root.
type wordCounter struct {
	next []map[rune]int
	ends []bool
}

// countWords returns a counter of words, in the singular or the plural.
func countWords(words ...string) *wordCounter {
	c := &wordCounter{next: []map[rune]int{{}}, ends: []bool{false}}
	for _, word := range words {
		c.add(word)
		if utf8.RuneCountInString(word) >= leastPlural {
			c.add(word + "s")
		}
	}
	return c
}

// leastPlural is the length of the shortest word that has a plural: "is" is none of i.
const leastPlural = 3

func (c *wordCounter) add(word string) {
	at := 0
	for _, r := range word {
		if _, there := c.next[at][r]; !there {
			c.next, c.ends = append(c.next, map[rune]int{}), append(c.ends, false)
			c.next[at][r] = len(c.next) - 1
		}
		at = c.next[at][r]
	}
	c.ends[at] = true
}

// countState is a state of a counter: the node of the word that is being read, and how many words were found.
type countState struct{ node, found int }

const (
	// inOther: the text is in a word that is not counted.
	inOther = -1
	// mostFound bounds the count.
	mostFound = 3
)

// step implements counter.
func (c *wordCounter) step(s countState, r rune) countState {
	if !unicode.IsLetter(r) && r != '\'' {
		return countState{0, c.found(s)}
	}
	if s.node != inOther {
		if node, there := c.next[s.node][unicode.ToLower(r)]; there {
			return countState{node, s.found}
		}
	}
	return countState{inOther, s.found}
}

// found implements counter.
func (c *wordCounter) found(s countState) int {
	if s.node != inOther && c.ends[s.node] {
		return min(s.found+1, mostFound)
	}
	return s.found
}

// signCounter counts one or two runes anywhere.
type signCounter []rune

// step implements counter.
func (c signCounter) step(s countState, r rune) countState {
	switch {
	case r == c[s.node] && s.node+1 == len(c):
		return countState{0, min(s.found+1, mostFound)}
	case r == c[s.node]:
		return countState{s.node + 1, s.found}
	case r == c[0]:
		return countState{1, s.found}
	}
	return countState{0, s.found}
}

// found implements counter.
func (signCounter) found(s countState) int { return s.found }

// counter is an automaton that counts parts of a text. Its first state is the zero value.
type counter interface {
	step(s countState, r rune) countState
	// found returns the count if the text ends here.
	found(s countState) int
}

// texts are those that an automaton accepts.
type texts struct {
	prog *syntax.Prog
	// runes are some that each instruction accepts: all of ASCII, the compared rune, and the bounds of its ranges.
	runes [][]rune
}

func newTexts(prog *syntax.Prog) texts {
	t := texts{prog, make([][]rune, len(prog.Inst))}
	candidates := []rune{comparedRune, 'µ', '≤', '≥', '≠'}
	for r := rune(' '); r <= '~'; r++ {
		candidates = append(candidates, r)
	}
	for i := range prog.Inst {
		switch inst := &prog.Inst[i]; inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			for _, r := range slices.Concat(candidates, bounds(inst)) {
				if inst.MatchRune(r) && !slices.Contains(t.runes[i], r) {
					t.runes[i] = append(t.runes[i], r)
				}
			}
		}
	}
	return t
}

// differIn returns two texts that have different counts, the smaller one first, if the automaton accepts such texts.
func (t texts) differIn(c counter) (without, has string, differ bool) {
	type state struct {
		pc   uint32
		word countState
	}
	type step struct {
		from state
		by   rune
	}
	seen, accepted := map[state]step{}, map[int]state{}
	var queue []state
	visit := func(pc uint32, word countState, by step) {
		for _, reached := range closure(t.prog, pc) {
			s := state{reached, word}
			if _, known := seen[s]; !known {
				seen[s] = by
				queue = append(queue, s)
			}
		}
	}
	spell := func(s state) string {
		var runes []rune
		for at := seen[s]; at.by >= 0; at = seen[at.from] {
			runes = append(runes, at.by)
		}
		slices.Reverse(runes)
		return strings.ReplaceAll(string(runes), string(comparedRune), "…")
	}
	visit(uint32(t.prog.Start), countState{}, step{by: -1})
	for len(queue) > 0 && len(seen) < maxStates {
		s := queue[0]
		queue = queue[1:]
		if inst := &t.prog.Inst[s.pc]; inst.Op == syntax.InstMatch {
			found := c.found(s.word)
			for other, at := range accepted {
				if other != found {
					a, b := spell(at), spell(s)
					if other > found {
						a, b = b, a
					}
					return a, b, true
				}
			}
			accepted[found] = s
			continue
		}
		stepped := map[countState]bool{}
		for _, r := range t.runes[s.pc] {
			if next := c.step(s.word, r); !stepped[next] {
				stepped[next] = true
				visit(t.prog.Inst[s.pc].Out, next, step{s, r})
			}
		}
	}
	return "", "", false
}
