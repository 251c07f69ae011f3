package lang

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Automaton is the automaton of a regular expression. Its states are instructions of a program, or sets of them. Use it
// in one goroutine at a time.
type Automaton struct {
	prog *syntax.Prog
	seen []uint32 // generation in which an instruction was last reached
	now  uint32
	work int // instructions visited
}

// New returns the automaton of an expression, or nil if it is no expression.
func New(source string) *Automaton {
	parsed, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil
	}
	return Of(parsed)
}

// Of returns the automaton of a parsed expression, or nil if it is too large.
func Of(parsed *syntax.Regexp) *Automaton {
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	return &Automaton{prog: prog, seen: make([]uint32, len(prog.Inst))}
}

// Assertions of a place in a text.
const (
	atStart  = syntax.EmptyBeginText
	atEnd    = syntax.EmptyEndText
	anywhere = ^syntax.EmptyOp(0) // all count as met
)

// exact reports whether the only assertions are those of the beginning and the end of the text, which a
// deterministic automaton follows.
func (a *Automaton) exact() bool {
	return !slices.ContainsFunc(a.prog.Inst, func(inst syntax.Inst) bool {
		return inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^(atStart|atEnd) != 0
	})
}

// closure returns the instructions that read a character or end the match and are reached from other ones without
// reading, where some assertions hold. An assertion of the end is kept if it does not hold yet.
func (a *Automaton) closure(met syntax.EmptyOp, from ...uint32) []uint32 {
	a.now++
	var set []uint32
	for _, pc := range from {
		set = a.reach(set, pc, met)
	}
	return set
}

func (a *Automaton) reach(set []uint32, pc uint32, met syntax.EmptyOp) []uint32 {
	a.work++
	if a.seen[pc] == a.now {
		return set
	}
	a.seen[pc] = a.now
	switch inst := &a.prog.Inst[pc]; inst.Op {
	case syntax.InstFail:
		return set
	case syntax.InstAlt, syntax.InstAltMatch:
		return a.reach(a.reach(set, inst.Arg, met), inst.Out, met)
	case syntax.InstNop, syntax.InstCapture:
		return a.reach(set, inst.Out, met)
	case syntax.InstEmptyWidth:
		switch syntax.EmptyOp(inst.Arg) &^ met {
		case 0:
			return a.reach(set, inst.Out, met)
		case atEnd:
		default:
			return set
		}
	}
	return append(set, pc)
}

func (a *Automaton) start() uint32 { return uint32(a.prog.Start) }

func (a *Automaton) isMatch(pc uint32) bool { return a.prog.Inst[pc].Op == syntax.InstMatch }

// signature tells characters apart that some of the automata do not treat alike.
func signature(automata []*Automaton, r rune) string {
	var bits []byte
	for _, a := range automata {
		for i := range a.prog.Inst {
			if inst := &a.prog.Inst[i]; inst.Rune != nil {
				bit := byte(0)
				if inst.MatchRune(r) {
					bit = 1
				}
				bits = append(bits, bit)
			}
		}
	}
	return string(bits)
}

// samples returns one character of each class that all automata treat alike.
func samples(automata ...*Automaton) []rune {
	const surrogates, afterSurrogates = 0xD800, 0xE000
	edges := []rune{0, surrogates, afterSurrogates}
	for _, a := range automata {
		for i := range a.prog.Inst {
			runes := a.prog.Inst[i].Rune
			for at := 0; at < len(runes); at += 2 {
				edges = append(edges, runes[at], runes[min(at+1, len(runes)-1)]+1)
			}
			if len(runes) == 1 { // expressions may ignore case
				for r := unicode.SimpleFold(runes[0]); r != runes[0]; r = unicode.SimpleFold(r) {
					edges = append(edges, r, r+1)
				}
			}
		}
	}
	slices.Sort(edges)
	known := map[string]bool{}
	return slices.DeleteFunc(slices.Compact(edges), func(r rune) bool {
		if r > unicode.MaxRune || !utf8.ValidRune(r) {
			return true
		}
		class := signature(automata, r)
		if known[class] {
			return true
		}
		known[class] = true
		return false
	})
}
