package proof

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// language is a set of strings: those that match all of some patterns and whose length is between
// two bounds.
type language struct {
	programs []*syntax.Prog
	low      int64
	high     int64 // -1: none
	// unknown means that a pattern cannot be followed here, so the language is smaller than it
	// looks.
	unknown bool
}

// texts returns the strings that a value may be.
func texts(v Value) language {
	l := language{high: -1}
	var patterns []string
	for _, s := range v.all {
		if s.MinLength != nil {
			l.low = max(l.low, *s.MinLength)
		}
		if s.MaxLength != nil && (l.high < 0 || *s.MaxLength < l.high) {
			l.high = max(*s.MaxLength, 0)
		}
		if s.Pattern == "" || slices.Contains(patterns, s.Pattern) {
			continue
		}
		patterns = append(patterns, s.Pattern)
		if program := compiled(s.Pattern); program != nil {
			l.programs = append(l.programs, program)
		} else {
			l.unknown = true
		}
	}
	return l
}

// listed returns the language of the strings of an enum.
func listed(enum []any) language {
	var all []string
	for _, member := range enum {
		if one, isText := member.(string); isText {
			all = append(all, regexp.QuoteMeta(one))
		}
	}
	if len(all) == 0 || len(all) > mostMembers {
		return language{unknown: true}
	}
	program := compiled("^(?:" + strings.Join(all, "|") + ")$")
	return language{high: -1, programs: []*syntax.Prog{program}, unknown: program == nil}
}

// compiled returns the program of a pattern; nil if it has assertions about lines or words.
func compiled(pattern string) *syntax.Prog {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	for _, inst := range program.Inst {
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return nil
		}
	}
	return program
}

// impossible reports whether the language provably has no string.
func (l language) impossible() bool {
	found, whole := search(l, language{high: -1}, func(in, _ bool) bool { return in })
	return whole && !found
}

// within reports whether another language provably contains all strings of this one.
func (l language) within(other language) bool {
	if other.unknown {
		return false
	}
	// Bounds that this language satisfies anyway need no counting.
	if other.low <= l.low {
		other.low = 0
	}
	if l.high >= 0 && l.high <= other.high {
		other.high = -1
	}
	const counts = 1000 // in characters; beyond it a bound of this language proves nothing more
	if l.high > counts && other.high < 0 {
		l.high = -1
	}
	if len(other.programs) == 0 && other.low == 0 && other.high < 0 {
		return true
	}
	found, whole := search(l, other, func(in, inOther bool) bool { return in && !inOther })
	return whole && !found
}

// mostStates is the maximum number of states of a search.
const mostStates = 10_000

// search goes through the strings of two languages together and visits each set of states once.
// found means that one of the strings is wanted, and whole that the search was complete.
func search(a, b language, wanted func(inA, inB bool) bool) (found, whole bool) {
	programs := slices.Concat(a.programs, b.programs)
	samples := classes(programs)
	counted := max(a.low, a.high+1, b.low, b.high+1)
	if counted > mostStates {
		return false, false
	}
	start := configuration{first: true}
	for _, program := range programs {
		start.states = append(start.states, closure(program, []uint32{uint32(program.Start)}, true, false))
	}
	seen := map[string]bool{start.key(): true}
	queue := []configuration{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		inA := a.holds(at.length) && at.matches(programs[:len(a.programs)], 0)
		inB := b.holds(at.length) && at.matches(programs[len(a.programs):], len(a.programs))
		if wanted(inA, inB) {
			return true, true
		}
		if a.high >= 0 && at.length > a.high || at.dead(len(a.programs)) {
			continue // no string of A begins like this
		}
		for _, r := range samples {
			next := at.after(programs, r, counted)
			if key := next.key(); !seen[key] {
				if len(seen) >= mostStates {
					return false, false
				}
				seen[key] = true
				queue = append(queue, next)
			}
		}
	}
	return false, true
}

func (l language) holds(length int64) bool {
	return length >= l.low && (l.high < 0 || length <= l.high)
}

// configuration is the state of the programs after some text.
type configuration struct {
	first  bool // nothing was read
	length int64
	states [][]uint32 // of each program, in order; a program that has matched has only the match
}

func (c configuration) key() string {
	var key []byte
	add := func(n uint32) { key = append(key, byte(n), byte(n>>8), byte(n>>16), byte(n>>24)) }
	for _, set := range c.states {
		add(uint32(len(set)))
		for _, pc := range set {
			add(pc)
		}
	}
	add(uint32(c.length))
	if c.first {
		key = append(key, 1)
	}
	return string(key)
}

// matches reports whether programs match if the text ends here.
func (c configuration) matches(programs []*syntax.Prog, from int) bool {
	for i, program := range programs {
		if !hasMatch(program, closure(program, c.states[from+i], c.first, true)) {
			return false
		}
	}
	return true
}

// dead reports whether one of the first programs can no longer match.
func (c configuration) dead(first int) bool {
	return slices.ContainsFunc(c.states[:first], func(set []uint32) bool { return len(set) == 0 })
}

// after returns the configuration after one more character. A match may begin at any character and
// stays a match.
func (c configuration) after(programs []*syntax.Prog, r rune, counted int64) configuration {
	next := configuration{length: min(c.length+1, counted)}
	for i, program := range programs {
		if set := c.states[i]; hasMatch(program, set) {
			next.states = append(next.states, set)
			continue
		}
		set := []uint32{uint32(program.Start)}
		for _, pc := range c.states[i] {
			if inst := &program.Inst[pc]; reads(inst, r) {
				set = append(set, inst.Out)
			}
		}
		next.states = append(next.states, closure(program, set, false, false))
	}
	return next
}

func reads(inst *syntax.Inst, r rune) bool {
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

func hasMatch(program *syntax.Prog, set []uint32) bool {
	return slices.ContainsFunc(set, func(pc uint32) bool { return program.Inst[pc].Op == syntax.InstMatch })
}

// closure adds all instructions that are reached without reading a character. Assertions of the end
// stay in it until the text ends.
func closure(program *syntax.Prog, from []uint32, atStart, atEnd bool) []uint32 {
	seen := map[uint32]bool{}
	var set []uint32
	var add func(pc uint32)
	add = func(pc uint32) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch inst := &program.Inst[pc]; inst.Op {
		case syntax.InstFail:
		case syntax.InstAlt, syntax.InstAltMatch:
			add(inst.Out)
			add(inst.Arg)
		case syntax.InstNop, syntax.InstCapture:
			add(inst.Out)
		case syntax.InstEmptyWidth:
			op := syntax.EmptyOp(inst.Arg)
			switch {
			case op&syntax.EmptyBeginText != 0 && !atStart:
			case op&syntax.EmptyEndText != 0 && !atEnd:
				set = append(set, pc)
			default:
				add(inst.Out)
			}
		default:
			set = append(set, pc)
		}
	}
	for _, pc := range from {
		add(pc)
	}
	slices.Sort(set)
	return set
}

// classes returns one character of each class of characters that all programs treat alike.
func classes(programs []*syntax.Prog) []rune {
	const surrogates, afterSurrogates = 0xD800, 0xE000
	edges := []rune{0, '\n', '\n' + 1, surrogates, afterSurrogates}
	for _, program := range programs {
		for i := range program.Inst {
			inst := &program.Inst[i]
			if inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1 {
				continue
			}
			for at := 0; at < len(inst.Rune); at += 2 {
				low, high := inst.Rune[at], inst.Rune[min(at+1, len(inst.Rune)-1)]
				edges = append(edges, low, high+1)
			}
			if len(inst.Rune) == 1 { // programs may ignore case
				for r := unicode.SimpleFold(inst.Rune[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
					edges = append(edges, r, r+1)
				}
			}
		}
	}
	slices.Sort(edges)
	known := map[string]bool{}
	var all []rune
	for _, r := range slices.Compact(edges) {
		if r > unicode.MaxRune || !utf8.ValidRune(r) {
			continue
		}
		var signature []byte
		for _, program := range programs {
			for i := range program.Inst {
				bit := byte('0')
				if reads(&program.Inst[i], r) {
					bit = '1'
				}
				signature = append(signature, bit)
			}
		}
		if !known[string(signature)] {
			known[string(signature)] = true
			all = append(all, r)
		}
	}
	return all
}
