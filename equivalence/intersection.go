package equivalence

import (
	"regexp/syntax"
	"slices"
)

// maxStates bounds the search below; patterns of exceptions need a few hundred.
const maxStates = 100_000

// intersects reports whether some text matches both patterns. Conditions such as \b count as met, and a
// search beyond maxStates as successful: the answer errs towards true.
func intersects(a, b *pattern) bool {
	x, y := program(a), program(b)
	if x == nil || y == nil {
		return true
	}
	_, found, complete := meet(x, y)
	return found || !complete
}

// meeting returns a shortest text that matches both patterns, if one is found. Conditions such as \b
// count as met, so the caller must check the text.
func meeting(a, b *pattern) (text string, found bool) {
	x, y := program(a), program(b)
	if x == nil || y == nil {
		return "", false
	}
	text, found, _ = meet(x, y)
	return text, found
}

// meet walks both automata in parallel. It gives up, with complete false, after maxStates states.
func meet(x, y *syntax.Prog) (text string, found, complete bool) {
	type pair struct{ a, b uint32 }
	type step struct {
		from pair
		by   rune
	}
	seen := map[pair]step{}
	var queue []pair
	visit := func(a, b uint32, by step) {
		for _, p := range closure(x, a) {
			for _, q := range closure(y, b) {
				state := pair{p, q}
				if _, known := seen[state]; !known {
					seen[state] = by
					queue = append(queue, state)
				}
			}
		}
	}
	start := step{by: -1}
	for visit(uint32(x.Start), uint32(y.Start), start); len(queue) > 0 && len(seen) < maxStates; {
		state := queue[0]
		queue = queue[1:]
		p, q := &x.Inst[state.a], &y.Inst[state.b]
		if p.Op == syntax.InstMatch && q.Op == syntax.InstMatch {
			var runes []rune
			for at := seen[state]; at.by >= 0; at = seen[at.from] {
				runes = append(runes, at.by)
			}
			slices.Reverse(runes)
			return string(runes), true, true
		}
		if p.Op == syntax.InstMatch || q.Op == syntax.InstMatch {
			continue
		}
		if shared, ok := shareRune(p, q); ok {
			visit(p.Out, q.Out, step{state, shared})
		}
	}
	return "", false, len(seen) < maxStates
}

func program(p *pattern) *syntax.Prog {
	parsed, err := syntax.Parse(p.source, syntax.Perl)
	if err != nil {
		return nil
	}
	compiled, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	return compiled
}

// closure returns the instructions that consume a rune or end the match and are reachable from pc without
// input.
func closure(prog *syntax.Prog, pc uint32) []uint32 {
	var reached []uint32
	seen := map[uint32]bool{}
	stack := []uint32{pc}
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			stack = append(stack, inst.Out)
		case syntax.InstFail:
		default:
			reached = append(reached, pc)
		}
	}
	return reached
}

// shareRune returns a rune that both instructions accept, if one exists. Trying the bounds of the ranges
// is enough: overlapping ranges share one.
func shareRune(p, q *syntax.Inst) (rune, bool) {
	for _, r := range slices.Concat(bounds(p), bounds(q)) {
		if p.MatchRune(r) && q.MatchRune(r) {
			return r, true
		}
	}
	return 0, false
}

func bounds(inst *syntax.Inst) []rune {
	switch inst.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return []rune{'a'}
	}
	return inst.Rune
}
