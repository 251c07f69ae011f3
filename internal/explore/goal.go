package explore

import (
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr/decision"
)

// Goal is a condition of a validator. The explorer makes inputs that show each side of its atoms.
type Goal struct {
	Condition *decision.Decision
	// OnlyCreates is true if the validator asks for it in no update, OnlyUpdates if in no creation.
	OnlyCreates, OnlyUpdates bool
}

// Progress is what inputs showed of a goal.
type Progress struct {
	// Held is true if the condition was true for an input.
	Held bool
	// Never are the sides that no input showed.
	Never []decision.Side
}

// Needs returns what an input lacks to show a side.
func (g Goal) needs(in Input, side decision.Side) []decision.Side {
	return g.Condition.On(in.Object, in.Old).Needs(side)
}

// asks reports whether the validator asks for the condition for an input.
func (g Goal) asks(in Input) bool {
	if in.IsUpdate() {
		return !g.OnlyCreates
	}
	return !g.OnlyUpdates && !g.Condition.Updates
}

// Show returns the value of the condition for an input, whether it has one, and calls a function with the sides that the
// input shows.
func (g Goal) Show(in Input, shown func(decision.Side)) (value, has bool) {
	if !g.asks(in) {
		return false, false
	}
	e := g.Condition.On(in.Object, in.Old)
	if value, has = e.Value(); has {
		e.Shown(shown)
	}
	return value, has
}

// goal is a goal with what inputs showed of it.
type goal struct {
	Goal
	// rules are what the atoms look at, when they were needed.
	rules map[int]Rule
	// never are the sides that no input showed yet, with how often inputs were made for them. The whole condition is one.
	never map[decision.Side]int
}

func newGoals(all []Goal) []*goal {
	var made []*goal
	for _, one := range all {
		g := &goal{Goal: one, rules: map[int]Rule{}, never: map[decision.Side]int{}}
		for _, side := range g.sides() {
			g.never[side] = 0
		}
		made = append(made, g)
	}
	return made
}

// Goals returns what inputs showed of Options.Goals so far.
func (e *Explorer) Goals() []Progress {
	var all []Progress
	for _, g := range e.goals {
		made := Progress{Never: g.left(mostAttempts + 1)}
		if made.Held = !slices.Contains(made.Never, decision.Whole); !made.Held {
			made.Never = made.Never[1:]
		}
		all = append(all, made)
	}
	return all
}

// sides returns the whole condition and the sides of its atoms.
func (g *goal) sides() []decision.Side {
	return append([]decision.Side{decision.Whole}, g.Condition.Sides()...)
}

// left returns the sides for which inputs were made less often than some number of times.
func (g *goal) left(attempts int) (sides []decision.Side) {
	for _, side := range g.sides() {
		if made, never := g.never[side]; never && made < attempts {
			sides = append(sides, side)
		}
	}
	return sides
}

// show notes which sides an input shows, and reports whether one is new.
func (e *Explorer) show(in Input, answer Answer) (isNew bool) {
	if answer.Undecided {
		return false
	}
	for n, g := range e.goals {
		if len(g.never) == 0 {
			continue
		}
		var sides []decision.Side
		add := func(side decision.Side) {
			if _, never := g.never[side]; never {
				sides = append(sides, side)
			}
		}
		holds, has := g.Show(in, add)
		if holds {
			add(decision.Whole)
		}
		if !has || len(sides) == 0 || e.options.Confirms != nil && !e.options.Confirms(n, holds, answer) {
			continue
		}
		isNew = true
		for _, side := range sides {
			delete(g.never, side)
		}
	}
	return isNew
}

// The numbers of inputs that are made for a side, and of sides for which a step makes them.
const (
	mostAttempts = 3
	goalsOfStep  = batchSize / 2
)

// forGoals returns inputs that probably show sides of goals that no input showed: first those of which the condition was never
// true, then those that were tried least.
func (e *Explorer) forGoals() (batch []task) {
	if len(e.starts) == 0 {
		return nil
	}
	planned := 0
	for attempts := 1; attempts <= mostAttempts; attempts++ {
		for _, isWhole := range []bool{true, false} {
			for _, g := range e.goals {
				for _, side := range g.left(attempts) {
					if isWhole != (side == decision.Whole) {
						continue
					}
					if planned == goalsOfStep {
						return batch
					}
					planned++
					g.never[side]++
					if one, ok := e.solve(g, side); ok {
						batch = append(batch, one)
					}
				}
			}
		}
	}
	return batch
}

// goalsTried reports whether inputs were made for all goals.
func (e *Explorer) goalsTried() bool {
	return len(e.starts) == 0 || !slices.ContainsFunc(e.goals, func(g *goal) bool { return len(g.left(mostAttempts)) > 0 })
}
