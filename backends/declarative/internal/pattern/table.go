package pattern

import (
	"regexp/syntax"
	"slices"
)

// table is a deterministic automaton over ASCII. In state 0 nothing can match any more. Without tables,
// Gateways and HTTPRoutes take 1.8 times as long.
type table struct {
	class   [128]uint8 // of bytes that all states treat alike
	classes int
	next    []uint16 // by state and class
	accepts []uint8  // by state
	start   uint16
}

// Properties of a state, given the text so far.
const (
	acceptsAtEnd uint8 = 1 << iota // it matches if it ends here
	acceptsNow                     // it matches, regardless of the rest
)

// Bounds of a table. A larger one is not made.
const (
	maxStates = 400
	maxWork   = 400_000 // instructions visited while it is made
)

// match runs a text through the table. It is not sure about a text that is not ASCII.
func (t *table) match(text string) (matched, sure bool) {
	state := t.start
	for i := range len(text) {
		if t.accepts[state]&acceptsNow != 0 {
			return true, true
		}
		c := text[i]
		if c >= 128 {
			return false, false
		}
		state = t.next[int(state)*t.classes+int(t.class[c])]
		if state == 0 {
			return false, true
		}
	}
	return t.accepts[state] != 0, true
}

// newTable makes the table of an expression, or nil.
func newTable(source string) *table {
	parsed, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	b := &builder{prog: prog, numbers: map[string]uint16{}, seen: make([]uint32, len(prog.Inst))}
	if !b.supported() {
		return nil
	}
	b.classify()
	return b.build()
}

// builder makes a table from a program by the subset construction.
type builder struct {
	prog    *syntax.Prog
	t       table
	samples []rune // one byte of each class
	states  [][]uint32
	numbers map[string]uint16
	seen    []uint32 // generation in which an instruction was last added
	now     uint32
	work    int
	odd     bool // an assertion of the beginning follows one of the end
}

// supported reports whether the only assertions of the program are those of the beginning and the end of
// the text.
func (b *builder) supported() bool {
	for _, inst := range b.prog.Inst {
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return false
		}
	}
	return true
}

func matches(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	case syntax.InstRune, syntax.InstRune1:
		return inst.MatchRune(r)
	}
	return false
}

// classify groups the bytes that all instructions treat alike.
func (b *builder) classify() {
	known := map[string]uint8{}
	for r := range rune(128) {
		var signature []byte
		for i := range b.prog.Inst {
			if op := b.prog.Inst[i].Op; op == syntax.InstRune || op == syntax.InstRune1 || op == syntax.InstRuneAnyNotNL {
				is := byte(0)
				if matches(&b.prog.Inst[i], r) {
					is = 1
				}
				signature = append(signature, is)
			}
		}
		class, ok := known[string(signature)]
		if !ok {
			class = uint8(len(known))
			known[string(signature)] = class
			b.samples = append(b.samples, r)
		}
		b.t.class[r] = class
	}
	b.t.classes = len(known)
}

func (b *builder) build() *table {
	b.state(nil) // 0: nothing matches any more
	b.now++
	b.t.start = b.state(b.add(nil, uint32(b.prog.Start), true, false))
	for s := 0; s < len(b.states); s++ {
		b.t.accepts = append(b.t.accepts, b.accepts(b.states[s]))
		for _, r := range b.samples {
			next := b.state(b.step(b.states[s], r))
			if len(b.states) > maxStates || b.work > maxWork || b.odd {
				return nil
			}
			b.t.next = append(b.t.next, next)
		}
	}
	return &b.t
}

// state returns the number of a set of instructions.
func (b *builder) state(set []uint32) uint16 {
	slices.Sort(set)
	key := make([]byte, 0, 2*len(set))
	for _, pc := range set {
		key = append(key, byte(pc), byte(pc>>8), byte(pc>>16))
	}
	n, ok := b.numbers[string(key)]
	if !ok {
		n = uint16(len(b.states))
		b.numbers[string(key)] = n
		b.states = append(b.states, set)
	}
	return n
}

// step returns the set after a byte. A match may begin at any byte, so every set has the start, except
// the empty set of state 0, from which nothing can match.
func (b *builder) step(set []uint32, r rune) []uint32 {
	b.now++
	var next []uint32
	for _, pc := range set {
		if inst := &b.prog.Inst[pc]; matches(inst, r) {
			next = b.add(next, inst.Out, false, false)
		}
	}
	if len(set) > 0 {
		next = b.add(next, uint32(b.prog.Start), false, false)
	}
	return next
}

// add adds an instruction, and all that follow it without a byte, at the beginning or the end of the
// text. Before the end, an assertion of the end stays in the set, for accepts.
func (b *builder) add(set []uint32, pc uint32, atStart, atEnd bool) []uint32 {
	b.work++
	if b.seen[pc] == b.now {
		return set
	}
	b.seen[pc] = b.now
	inst := &b.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstFail:
		return set
	case syntax.InstAlt, syntax.InstAltMatch:
		return b.add(b.add(set, inst.Out, atStart, atEnd), inst.Arg, atStart, atEnd)
	case syntax.InstNop, syntax.InstCapture:
		return b.add(set, inst.Out, atStart, atEnd)
	case syntax.InstEmptyWidth:
		op := syntax.EmptyOp(inst.Arg)
		begin, end := op&syntax.EmptyBeginText != 0, op&syntax.EmptyEndText != 0
		b.odd = b.odd || begin && atEnd
		switch {
		case begin && !atStart:
			return set
		case !end || atEnd:
			return b.add(set, inst.Out, atStart, atEnd)
		}
	}
	return append(set, pc)
}

// accepts reports whether a set matches, now or if the text ends.
func (b *builder) accepts(set []uint32) uint8 {
	isMatch := func(pc uint32) bool { return b.prog.Inst[pc].Op == syntax.InstMatch }
	if slices.ContainsFunc(set, isMatch) {
		return acceptsNow | acceptsAtEnd
	}
	b.now++
	var end []uint32
	for _, pc := range set {
		end = b.add(end, pc, false, true)
	}
	if slices.ContainsFunc(end, isMatch) {
		return acceptsAtEnd
	}
	return 0
}
