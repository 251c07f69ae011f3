package generate

import "math/rand/v2"

// Source returns the numbers that schemas and objects are made from. Rand of math/rand/v2 is a
// Source.
type Source interface {
	// IntN returns a number from 0 to n-1. n is at least 1.
	IntN(n int) int
}

// Seeded returns the Source of a seed.
func Seeded(seed uint64) Source { return rand.New(rand.NewPCG(seed, 0)) }

// Bytes returns a Source that reads the data of a fuzzer and then returns zeros.
func Bytes(data []byte) Source { return &reader{data: data} }

type reader struct{ data []byte }

func (r *reader) IntN(n int) int {
	number := 0
	for width := 1; width < n && len(r.data) > 0; width *= 256 {
		number = number*256 + int(r.data[0])
		r.data = r.data[1:]
	}
	return number % n
}

// Dice is a Source with the methods that the generators use.
type Dice struct{ Source }

// OneIn is true once in n times, and false for zeros.
func (d Dice) OneIn(n int) bool { return d.IntN(n) == n-1 }

// Between returns a number from low to high, both included. It returns low if the range is empty.
func (d Dice) Between(low, high int) int {
	if high <= low {
		return low
	}
	return low + d.IntN(high-low+1)
}

// Pick returns one of several values.
func Pick[T any](d Dice, from ...T) T { return from[d.IntN(len(from))] }
