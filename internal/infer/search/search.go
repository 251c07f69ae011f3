package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// Hypothesis says that the native validator reports an error where all of some conditions are true.
type Hypothesis struct {
	Subject *Subject
	Parts   []*rules.Condition
	// holds are the rows at which it is true, of those at which its parts were evaluated, and covers those at which the error
	// is reported, with their number.
	holds, covers bits
	covered       int
	text          string // see Expr
}

func (h *Hypothesis) weight() int {
	sum := 2 * (len(h.Parts) - 1)
	for _, part := range h.Parts {
		sum += part.Weight
	}
	return sum
}

// least returns how many refused rows must agree with the hypothesis. Comparisons with values that only
// objects suggest explain every single row, so they must explain several.
func (h *Hypothesis) least() int {
	least := 1
	for _, part := range h.Parts {
		if part.Guess {
			least = 3
		}
	}
	return least
}

// Refuses returns the expression that is true where the error is reported.
func (h *Hypothesis) Refuses() celexpr.Expr {
	var all []celexpr.Expr
	for _, part := range h.Parts {
		all = append(all, part.Refuses)
	}
	return celexpr.And(all...)
}

// Expr returns the text of this expression.
func (h *Hypothesis) Expr() string {
	if h.text == "" {
		h.text = celexpr.String(h.Refuses())
	}
	return h.text
}

// isUpdate reports whether it is about updates only.
func (h *Hypothesis) isUpdate() bool {
	return slices.ContainsFunc(h.Parts, func(c *rules.Condition) bool { return c.Update })
}

// Explanation is what is known about a site at one scope.
type Explanation struct {
	Subject  *Subject
	universe *Universe
	Labels   labels
	// Chosen are the hypotheses that explain the site, and open the refused rows that none explains.
	Chosen []*Hypothesis
	open   bits
	// Tried counts the hypotheses that were compared with the samples.
	Tried int
	// rivals are other hypotheses that agree with all samples.
	rivals []*Hypothesis
	// Survivors are the mutants of the chosen hypotheses that fit as well. told counts those that an object tells from
	// them, and equivalent those that no made object does.
	Survivors        []survivor
	Told, Equivalent int
	// Decided counts the mutants of what was read that differ only on objects with other errors: the source says which is right.
	Decided int
	// Unfinished is true if the time was over before mutants were tried.
	Unfinished bool
}

// Complete reports whether every refused row is explained.
func (x *Explanation) Complete() bool { return len(x.Chosen) > 0 && x.open.empty() }

// share returns which share of the refused rows is explained.
func (x *Explanation) share() float64 {
	all := x.Labels.Refused.count()
	if all == 0 {
		return 0
	}
	return float64(all-x.open.count()) / float64(all)
}

// likely is the greatest weight of a hypothesis that may explain only a part of a site.
const likely = 5

// leastOfPart is how many refused rows a hypothesis must explain if others are left: some explain a few by chance.
const leastOfPart = 6

// mostRules is how many rules may explain a site at one scope. More of them fit the samples only.
const mostRules = 4

// mostRivals is how many hypotheses are told apart at once.
const mostRivals = 10

// explain looks for the hypotheses that agree with all samples.
func (s *Subject) explain(ctx context.Context, u *Universe) *Explanation {
	u.extend(s.Facts.Evidence.Samples)
	x := &Explanation{Subject: s, universe: u, Labels: u.labelsOf(s)}
	if x.open = x.Labels.Refused; x.open.empty() {
		return x
	}
	if s.readings != nil {
		s.explainAsRead(ctx, x)
		return x
	}
	s.Facts.Marks = func(p evidence.Place, m rules.Measure) []float64 { return s.marksOf(u, p, m, x.Labels) }
	single, guards := rules.Conditions(s.Facts)
	single = distinct(append(single, s.conditionalBounds(u, x.Labels, guards)...))
	late := rules.OtherFormats(s.Facts)
	if x.search(ctx, single, guards); !x.Complete() && len(late) > 0 {
		x.search(ctx, append(single, late...), guards)
	}
	return x
}

// search looks for hypotheses that are one condition or, if these do not suffice, several.
func (x *Explanation) search(ctx context.Context, single, guards []*rules.Condition) {
	var sound []*Hypothesis
	byExpr := map[string]*rules.Condition{}
	for _, c := range single {
		byExpr[c.Expr()] = c
	}
	for _, expr := range x.universe.sound(ctx, exprsOf(single), x.Labels) {
		if h := x.consider([]*rules.Condition{byExpr[expr]}); h != nil {
			sound = append(sound, h)
		}
	}
	x.Tried += len(single)
	if x.choose(sound); x.Complete() && len(x.Chosen) == 1 || ctx.Err() != nil {
		return
	}
	simple := *x
	x.choose(append(sound, x.combined(ctx, single, guards)...))
	if simple.Complete() && simple.weight() <= x.weight() {
		x.Chosen, x.open = simple.Chosen, simple.open
	}
}

// combined returns the hypotheses of several conditions that agree with all samples.
func (x *Explanation) combined(ctx context.Context, single, guards []*rules.Condition) (sound []*Hypothesis) {
	u := x.universe
	single, guards = slices.Clone(single), slices.Clone(guards)
	u.evaluate(ctx, exprsOf(append(slices.Clone(single), guards...)), x.Labels.Refused)
	useless := func(c *rules.Condition) bool { return u.holds(c.Expr()).and(x.Labels.Refused).empty() }
	single, guards = slices.DeleteFunc(single, useless), slices.DeleteFunc(guards, useless)
	u.evaluate(ctx, exprsOf(append(slices.Clone(single), guards...)), x.Labels.known())
	if ctx.Err() != nil {
		return nil
	}
	consider := func(parts ...*rules.Condition) {
		x.Tried++
		if h := x.consider(parts); h != nil {
			sound = append(sound, h)
		}
	}
	for _, c := range single {
		for _, guard := range guards {
			if !slices.Equal(guard.About, c.About) {
				consider(c, guard)
			}
		}
	}
	if parts := x.conjunction(append(slices.Clone(single), guards...)); parts != nil {
		consider(parts...)
	}
	return sound
}

// distinct returns the first condition with each expression.
func distinct(of []*rules.Condition) []*rules.Condition {
	known := map[string]bool{}
	return slices.DeleteFunc(of, func(c *rules.Condition) bool {
		isKnown := known[c.Expr()]
		known[c.Expr()] = true
		return isKnown
	})
}

func exprsOf(conditions []*rules.Condition) (exprs []string) {
	for _, c := range conditions {
		exprs = append(exprs, c.Expr())
	}
	return exprs
}

// consider returns the hypothesis that an error is reported where all of some conditions are true; nil: the samples
// contradict it.
func (x *Explanation) consider(parts []*rules.Condition) *Hypothesis {
	h := &Hypothesis{Subject: x.Subject, Parts: parts}
	h.look(x.universe)
	if h.covers = h.holds.and(x.Labels.Refused); h.covers.empty() || !h.holds.and(x.Labels.accepted).empty() {
		return nil
	}
	if !x.Labels.alone.empty() && h.covers.and(x.Labels.alone).empty() {
		return nil // it explains the other errors of these objects
	}
	if h.covered = h.covers.count(); h.covered < h.least() && (len(parts) == 1 || !x.Labels.Refused.without(h.covers).empty()) {
		return nil
	}
	return h
}

// look takes the rows at which the parts were found to be true.
func (h *Hypothesis) look(u *Universe) {
	h.holds = u.holds(h.Parts[0].Expr())
	for _, part := range h.Parts[1:] {
		h.holds = h.holds.and(u.holds(part.Expr()))
	}
}

// mostParts bounds the conditions of one hypothesis.
const mostParts = 4

// conjunction returns conditions that are true at every refused row and never all true at an accepted
// one; nil: there are none. Each of them rules out as many accepted rows as possible.
func (x *Explanation) conjunction(of []*rules.Condition) (parts []*rules.Condition) {
	of = slices.DeleteFunc(of, func(c *rules.Condition) bool { return !x.Labels.Refused.without(x.universe.holds(c.Expr())).empty() })
	rest := x.Labels.accepted
	for !rest.empty() && len(of) > 0 && len(parts) < mostParts {
		best := slices.MinFunc(of, func(a, b *rules.Condition) int {
			return cmp.Or(rest.and(x.universe.holds(a.Expr())).count()-rest.and(x.universe.holds(b.Expr())).count(), a.Weight-b.Weight,
				cmp.Compare(a.Expr(), b.Expr()))
		})
		left := rest.and(x.universe.holds(best.Expr()))
		if left.count() == rest.count() {
			return nil
		}
		parts, rest = append(parts, best), left
	}
	if !rest.empty() {
		return nil
	}
	for i := 0; i < len(parts) && len(parts) > 1; { // later parts may rule out what an earlier one did
		left := x.Labels.accepted
		for j, part := range parts {
			if j != i {
				left = left.and(x.universe.holds(part.Expr()))
			}
		}
		if left.empty() {
			parts = slices.Delete(parts, i, i+1)
		} else {
			i++
		}
	}
	return parts
}

// weight is small for an explanation with few and simple hypotheses.
func (x *Explanation) weight() int {
	sum := 3 * len(x.Chosen)
	for _, h := range x.Chosen {
		sum += h.weight()
	}
	return sum
}

// choose selects the simplest hypotheses that together explain all refused rows.
func (x *Explanation) choose(sound []*Hypothesis) {
	x.Chosen, x.rivals, x.open = nil, nil, x.Labels.Refused
	order := func(a, b *Hypothesis) int {
		return cmp.Or(b.covers.and(x.open).count()-a.covers.and(x.open).count(), a.weight()-b.weight(), cmp.Compare(a.Expr(), b.Expr()))
	}
	for !x.open.empty() && len(sound) > 0 && len(x.Chosen) < mostRules {
		best := slices.MinFunc(sound, order)
		if best.covers.and(x.open).empty() {
			break
		}
		x.Chosen = append(x.Chosen, best)
		x.open = x.open.without(best.covers)
	}
	x.prune()
	if !x.open.empty() { // what explains only a part must be likely by itself
		x.Chosen = slices.DeleteFunc(x.Chosen, func(h *Hypothesis) bool {
			return h.weight() > likely || h.least() > 1 || h.covered < leastOfPart
		})
		x.open = x.Labels.Refused
		for _, h := range x.Chosen {
			x.open = x.open.without(h.covers)
		}
	}
	slices.SortStableFunc(sound, func(a, b *Hypothesis) int {
		return cmp.Or(b.covered-a.covered, a.weight()-b.weight(), cmp.Compare(a.Expr(), b.Expr()))
	})
	for _, h := range sound {
		if len(x.rivals) < mostRivals && !slices.Contains(x.Chosen, h) {
			x.rivals = append(x.rivals, h)
		}
	}
}

// prune drops hypotheses whose rows the others explain too.
func (x *Explanation) prune() {
	for i := 0; i < len(x.Chosen); i++ {
		var others bits
		for j, h := range x.Chosen {
			if i != j {
				others = others.or(h.covers)
			}
		}
		if x.Chosen[i].covers.without(others).empty() {
			x.Chosen = slices.Delete(x.Chosen, i, i+1)
			i--
		}
	}
}
