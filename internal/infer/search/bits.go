package search

import (
	"fmt"
	"iter"
	"strings"
)

// bits is a set of rows.
type bits []uint64

func (b bits) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

func (b *bits) Add(i int) {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

// and returns the rows of both sets.
func (b bits) and(other bits) bits {
	out := make(bits, min(len(b), len(other)))
	for i := range out {
		out[i] = b[i] & other[i]
	}
	return out
}

// or returns the rows of either set.
func (b bits) or(other bits) bits {
	out := make(bits, max(len(b), len(other)))
	copy(out, b)
	for i, word := range other {
		out[i] |= word
	}
	return out
}

// without returns the rows that are not in another set.
func (b bits) without(other bits) bits {
	out := make(bits, len(b))
	for i := range out {
		out[i] = b[i]
		if i < len(other) {
			out[i] &^= other[i]
		}
	}
	return out
}

func (b bits) count() (n int) {
	for _, word := range b {
		for ; word != 0; word &= word - 1 {
			n++
		}
	}
	return n
}

func (b bits) empty() bool {
	for _, word := range b {
		if word != 0 {
			return false
		}
	}
	return true
}

// String returns a text that is the same for equal sets.
func (b bits) String() string {
	var out strings.Builder
	for _, word := range b[:b.length()] {
		fmt.Fprintf(&out, "%x,", word)
	}
	return out.String()
}

// length returns how many words have rows in them, and those before.
func (b bits) length() int {
	n := len(b)
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return n
}

// chunks returns the rows in parts, the last ones first: the first part has some number of rows, and each other part four
// times as many as the one before.
func (b bits) chunks(first int) iter.Seq[bits] {
	return func(yield func(bits) bool) {
		var chunk bits
		left := first
		for i := len(b)*64 - 1; i >= 0; i-- {
			if !b.has(i) {
				continue
			}
			chunk.Add(i)
			if left--; left == 0 {
				if !yield(chunk) {
					return
				}
				first *= 4
				chunk, left = nil, first
			}
		}
		if len(chunk) > 0 {
			yield(chunk)
		}
	}
}
