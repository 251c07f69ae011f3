package equivalence

import (
	"strconv"
	"unicode"
)

// hexCounter adds up the hexadecimal numbers of a text, because their letters are digits. Its nodes are the places
// of "0x" in front of one.
type hexCounter struct{}

const (
	outsideNumber = iota
	afterZero
	insideHex
)

// hexModulus is a prime that bounds the sum.
const hexModulus = 1009

// Step implements lang.Counter.
func (hexCounter) Step(s countState, r rune) countState {
	digit, err := strconv.ParseUint(string(r), 16, 8)
	switch {
	case s.node == insideHex && err == nil:
		return countState{insideHex, (s.found*16 + int(digit) + 1) % hexModulus}
	case s.node == afterZero && unicode.ToLower(r) == 'x':
		return countState{insideHex, s.found}
	case r == '0':
		return countState{afterZero, s.found}
	}
	return countState{outsideNumber, s.found}
}

// Count implements lang.Counter.
func (hexCounter) Count(s countState) int { return s.found }

// largeUnitCounter counts the units behind a number that mean something else in lower case: M is mega and m milli, B
// is byte and b bit. Its node is 1 behind a number.
type largeUnitCounter struct{}

// Step implements lang.Counter.
func (largeUnitCounter) Step(s countState, r rune) countState {
	switch {
	case r == comparedRune || unicode.IsNumber(r):
		return countState{1, s.found}
	case s.node == 1 && (r == 'M' || r == 'B'):
		return countState{0, min(s.found+1, mostFound)}
	}
	return countState{0, s.found}
}

// Count implements lang.Counter.
func (largeUnitCounter) Count(s countState) int { return s.found }
