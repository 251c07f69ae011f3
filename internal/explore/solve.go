package explore

import (
	"iter"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr/decision"
)

// solution is an input on the way to one that shows a side of a goal.
type solution struct {
	Input
	needs   []decision.Side
	changes []string
}

// The numbers of changes in a row, of starts that are compared, and of atoms whose fields are changed at once.
const (
	solveSteps  = 6
	solveStarts = 8
	solveAtoms  = 3
)

// solve returns the task of an input that shows a side of a goal: an accepted object in which the fields of the atoms that
// need other values are changed, one after the other, as those of a rule are. Nothing is asked.
func (e *Explorer) solve(g *goal, side decision.Side) (task, bool) {
	best := e.nearest(g, side)
	from := best.Object
	for range solveSteps {
		if len(best.needs) == 0 {
			break
		}
		next, nearer := e.nearer(g, side, best)
		if !nearer {
			return task{}, false
		}
		best = next
	}
	if len(best.needs) > 0 {
		return task{}, false
	}
	return task{made: made{Input: e.sent(best.Input), near: from, change: strings.Join(best.changes, "; ")}, site: site{}}, true
}

// nearest returns the accepted object that needs the least to show a side: the smallest, or one of some others.
func (e *Explorer) nearest(g *goal, side decision.Side) (best solution) {
	candidates := []map[string]any{e.starts[0]}
	if len(e.small) > 0 {
		candidates[0] = e.small[0].object
	}
	if g.never[side] > 1 { // the smallest was tried
		candidates = nil
	}
	for len(candidates) < solveStarts {
		candidates = append(candidates, e.starts[e.src.IntN(len(e.starts))])
	}
	for i, object := range candidates {
		in := Input{Object: object}
		if g.OnlyUpdates || g.Condition.Updates || e.options.Updates {
			in.Old = object
		}
		if needs := g.needs(in, side); i == 0 || len(needs) < len(best.needs) {
			best = solution{Input: in, needs: needs}
		}
	}
	return best
}

// nearer returns an input that needs less: the first that needs nothing, or that which needs the least.
func (e *Explorer) nearer(g *goal, side decision.Side, from solution) (best solution, is bool) {
	best = from
	for _, need := range from.needs[:min(len(from.needs), solveAtoms)] {
		for in, change := range e.candidates(g.rule(need.Atom, from.Input), from.Input) {
			if needs := g.needs(in, side); len(needs) < len(best.needs) {
				best = solution{in, needs, append(slices.Clip(from.changes), change)}
			}
			if len(best.needs) == 0 {
				return best, true
			}
		}
	}
	return best, len(best.needs) < len(from.needs)
}

// rule returns what an atom looks at. The values that it compares in an input are literals like those that it names.
func (g *goal) rule(atom int, in Input) Rule {
	rule, known := g.rules[atom]
	if !known {
		rule = ReadRule(g.Condition.Looped(atom), nil)
		g.rules[atom] = rule
	}
	rule.Literals = append(slices.Clip(rule.Literals), g.Condition.Compared(atom, in.Object, in.Old)...)
	return rule
}

// candidates yields inputs in which fields of a rule have other values: as they have for rules of a schema, then as each
// field has alone, in the object and in the one before an update.
func (e *Explorer) candidates(rule Rule, from Input) iter.Seq2[Input, string] {
	return func(yield func(Input, string) bool) {
		root := rootOf(e.options.Schema, from.Object)
		put := func(name string, change func(map[string]any) map[string]any) bool {
			in := from
			if in.Object = change(from.Object); in.Object != nil && !yield(in, name) {
				return false
			}
			in.Object = from.Object
			if rule.Transition && from.IsUpdate() {
				if in.Old = change(from.Old); in.Old != nil {
					return yield(in, "before: "+name)
				}
			}
			return true
		}
		fields := assigner{e.placer(e.src), from.Object}.assignments(rule, root)
		for _, combined := range combinations(rule, fields) {
			if e.exploresAny(combined) && !put(namesOf(combined), func(object map[string]any) map[string]any {
				return e.placer(e.src).assigned(object, combined)
			}) {
				return
			}
		}
		for _, path := range rule.Paths {
			place, schema, ok := resolve(root, path)
			if !ok || !e.explores(place) {
				continue
			}
			value, has := place.Get(from.Object)
			at := site{place, schema, value, has}
			for _, c := range changesOf(e.src, at) {
				if c.aim == spelling && schema.Type != "string" {
					continue // many items: a loop in a loop takes a time for them
				}
				if !put(at.String()+": "+c.name, func(object map[string]any) map[string]any {
					return e.placer(e.src).put(object, place, c.value())
				}) {
					return
				}
			}
		}
	}
}
