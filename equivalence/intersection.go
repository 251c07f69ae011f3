package equivalence

import "regexp/syntax"

// maxStates bounds the search below; patterns of exceptions need a few hundred.
const maxStates = 100_000

// intersects says whether some text is matched by both patterns. It walks both
// automata side by side. Conditions such as \b count as met, and a search that
// grows beyond its bound as successful: the answer errs towards yes.
func intersects(a, b *pattern) bool {
	x, y := program(a), program(b)
	if x == nil || y == nil {
		return true
	}
	type pair struct{ a, b uint32 }
	seen := map[pair]bool{}
	var queue []pair
	visit := func(a, b uint32) {
		for _, p := range closure(x, a) {
			for _, q := range closure(y, b) {
				if state := (pair{p, q}); !seen[state] {
					seen[state] = true
					queue = append(queue, state)
				}
			}
		}
	}
	for visit(uint32(x.Start), uint32(y.Start)); len(queue) > 0 && len(seen) < maxStates; {
		state := queue[0]
		queue = queue[1:]
		p, q := &x.Inst[state.a], &y.Inst[state.b]
		switch {
		case p.Op == syntax.InstMatch && q.Op == syntax.InstMatch:
			return true
		case p.Op == syntax.InstMatch || q.Op == syntax.InstMatch:
		case shareRune(p, q):
			visit(p.Out, q.Out)
		}
	}
	return len(seen) >= maxStates
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

// closure gives the instructions that consume a rune or end the match, from pc
// on without reading anything.
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

// shareRune says whether a rune exists that both instructions accept. The
// bounds of the ranges are enough to try: two ranges that meet share one.
func shareRune(p, q *syntax.Inst) bool {
	for _, r := range bounds(p) {
		if p.MatchRune(r) && q.MatchRune(r) {
			return true
		}
	}
	for _, r := range bounds(q) {
		if p.MatchRune(r) && q.MatchRune(r) {
			return true
		}
	}
	return false
}

func bounds(inst *syntax.Inst) []rune {
	switch inst.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return []rune{'a'}
	}
	return inst.Rune
}
