package equivalence

import (
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

// Step implements lang.Counter.
func (c *wordCounter) Step(s countState, r rune) countState {
	if !unicode.IsLetter(r) && r != '\'' {
		return countState{0, c.Count(s)}
	}
	if s.node != inOther {
		if node, there := c.next[s.node][unicode.ToLower(r)]; there {
			return countState{node, s.found}
		}
	}
	return countState{inOther, s.found}
}

// Count implements lang.Counter.
func (c *wordCounter) Count(s countState) int {
	if s.node != inOther && c.ends[s.node] {
		return min(s.found+1, mostFound)
	}
	return s.found
}

// signCounter counts one or two runes anywhere.
type signCounter []rune

// Step implements lang.Counter.
func (c signCounter) Step(s countState, r rune) countState {
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

// Count implements lang.Counter.
func (signCounter) Count(s countState) int { return s.found }
