package lang

import (
	"encoding/binary"
	"slices"
)

// Some states of a deterministic automaton.
const (
	dead    uint32 = iota // nothing can match any more
	matched               // it matches, regardless of the rest
	started               // nothing was read
)

// deterministic is an automaton whose states are sets of instructions. It finds matches anywhere in a text. Its states
// are made as they are reached.
type deterministic struct {
	*Automaton
	numbering
}

func newDeterministic(a *Automaton) *deterministic {
	sets := [][]uint32{dead: nil, matched: nil, started: a.closure(atStart, a.start())}
	return &deterministic{a, numbering{sets, map[string]uint32{"": dead}}}
}

// step returns the state after a character. A match may begin at any character.
func (d *deterministic) step(state uint32, r rune) uint32 {
	if state == matched || slices.ContainsFunc(d.all[state], d.isMatch) {
		return matched
	}
	from := []uint32{d.start()}
	for _, pc := range d.all[state] {
		if inst := &d.prog.Inst[pc]; inst.MatchRune(r) {
			from = append(from, inst.Out)
		}
	}
	set := d.closure(0, from...)
	if slices.ContainsFunc(set, d.isMatch) {
		return matched
	}
	slices.Sort(set)
	return d.number(set)
}

// accepts reports whether a text matches that ends in a state.
func (d *deterministic) accepts(state uint32) bool {
	met := atEnd
	if state == started {
		met |= atStart
	}
	return state == matched || slices.ContainsFunc(d.closure(met, d.all[state]...), d.isMatch)
}

// numbering gives lists their numbers.
type numbering struct {
	all     [][]uint32 // by number
	numbers map[string]uint32
}

func (n *numbering) number(list []uint32) uint32 {
	var key []byte
	for _, one := range list {
		key = binary.AppendUvarint(key, uint64(one))
	}
	number, known := n.numbers[string(key)]
	if !known {
		number = uint32(len(n.all))
		n.numbers[string(key)] = number
		n.all = append(n.all, list)
	}
	return number
}
