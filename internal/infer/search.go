package infer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// hypothesis says that the native validator reports an error where all of some conditions are true.
type hypothesis struct {
	subject *subject
	parts   []*rules.Condition
	// holds are the rows at which it is true, of those at which its parts were evaluated, and covers those at which the error
	// is reported, with their number.
	holds, covers bits
	covered       int
	text          string // see expr
}

func (h *hypothesis) weight() int {
	sum := 2 * (len(h.parts) - 1)
	for _, part := range h.parts {
		sum += part.Weight
	}
	return sum
}

// least returns how many refused rows must agree with the hypothesis. Comparisons with values that only
// objects suggest explain every single row, so they must explain several.
func (h *hypothesis) least() int {
	least := 1
	for _, part := range h.parts {
		if part.Guess {
			least = 3
		}
	}
	return least
}

// expr returns the expression that is true where the error is reported.
func (h *hypothesis) expr() string {
	if h.text == "" {
		var all []string
		for _, part := range h.parts {
			all = append(all, part.Expr)
		}
		h.text = strings.Join(all, " && ")
	}
	return h.text
}

// isUpdate reports whether it is about updates only.
func (h *hypothesis) isUpdate() bool {
	return slices.ContainsFunc(h.parts, func(c *rules.Condition) bool { return c.Update })
}

// explanation is what is known about a site at one scope.
type explanation struct {
	subject  *subject
	universe *universe
	labels   labels
	// chosen are the hypotheses that explain the site, and open the refused rows that none explains.
	chosen []*hypothesis
	open   bits
	// tried counts the hypotheses that were compared with the samples. best is the most that one of
	// them explains, although it would also refuse accepted objects; nil: none.
	tried int
	// rivals are other hypotheses that agree with all samples.
	rivals []*hypothesis
	// survivors are the mutants of the chosen hypotheses that fit as well. told counts those that an object tells from
	// them, and equivalent those that no made object does.
	survivors        []survivor
	told, equivalent int
	// unfinished is true if the time was over before mutants were tried.
	unfinished bool
}

// complete reports whether every refused row is explained.
func (x *explanation) complete() bool { return len(x.chosen) > 0 && x.open.empty() }

// share returns which share of the refused rows is explained.
func (x *explanation) share() float64 {
	all := x.labels.refused.count()
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
func (s *subject) explain(ctx context.Context, u *universe) *explanation {
	u.extend(s.facts.Evidence.Samples)
	x := &explanation{subject: s, universe: u, labels: u.labelsOf(s)}
	if x.open = x.labels.refused; x.open.empty() {
		return x
	}
	if s.explainAsKnown(ctx, x); x.complete() {
		return x
	}
	s.facts.Marks = func(p evidence.Place, m rules.Measure) []float64 { return s.marksOf(u, p, m, x.labels) }
	single, guards := rules.Conditions(s.facts)
	single = distinct(append(single, s.conditionalBounds(u, x.labels, guards)...))
	late := rules.OtherFormats(s.facts)
	if s.explainAsRemembered(ctx, x, slices.Concat(single, late, guards)); x.complete() {
		return x
	}
	if x.search(ctx, single, guards); !x.complete() && len(late) > 0 {
		x.search(ctx, append(single, late...), guards)
	}
	return x
}

// search looks for hypotheses that are one condition or, if these do not suffice, several.
func (x *explanation) search(ctx context.Context, single, guards []*rules.Condition) {
	var sound []*hypothesis
	byExpr := map[string]*rules.Condition{}
	for _, c := range single {
		byExpr[c.Expr] = c
	}
	for _, expr := range x.universe.sound(ctx, exprsOf(single), x.labels) {
		if h := x.consider([]*rules.Condition{byExpr[expr]}); h != nil {
			sound = append(sound, h)
		}
	}
	x.tried += len(single)
	if x.choose(sound); x.complete() && len(x.chosen) == 1 || ctx.Err() != nil {
		return
	}
	simple := *x
	x.choose(append(sound, x.combined(ctx, single, guards)...))
	if simple.complete() && simple.weight() <= x.weight() {
		x.chosen, x.open = simple.chosen, simple.open
	}
}

// combined returns the hypotheses of several conditions that agree with all samples.
func (x *explanation) combined(ctx context.Context, single, guards []*rules.Condition) (sound []*hypothesis) {
	u := x.universe
	single, guards = slices.Clone(single), slices.Clone(guards)
	u.evaluate(ctx, exprsOf(append(slices.Clone(single), guards...)), x.labels.refused)
	useless := func(c *rules.Condition) bool { return u.holds(c.Expr).and(x.labels.refused).empty() }
	single, guards = slices.DeleteFunc(single, useless), slices.DeleteFunc(guards, useless)
	u.evaluate(ctx, exprsOf(append(slices.Clone(single), guards...)), x.labels.known())
	if ctx.Err() != nil {
		return nil
	}
	consider := func(parts ...*rules.Condition) {
		x.tried++
		if h := x.consider(parts); h != nil {
			sound = append(sound, h)
		}
	}
	for _, c := range single {
		for _, guard := range guards {
			if guard.Expr != c.Expr && (!slices.Equal(guard.About, c.About) || c.Many && guard.Many) {
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
		isKnown := known[c.Expr]
		known[c.Expr] = true
		return isKnown
	})
}

func exprsOf(conditions []*rules.Condition) (exprs []string) {
	for _, c := range conditions {
		exprs = append(exprs, c.Expr)
	}
	return exprs
}

// consider returns the hypothesis that an error is reported where all of some conditions are true; nil: the samples
// contradict it.
func (x *explanation) consider(parts []*rules.Condition) *hypothesis {
	h := &hypothesis{subject: x.subject, parts: parts}
	h.look(x.universe)
	if h.covers = h.holds.and(x.labels.refused); h.covers.empty() || !h.holds.and(x.labels.accepted).empty() {
		return nil
	}
	if !x.labels.alone.empty() && h.covers.and(x.labels.alone).empty() {
		return nil // it explains the other errors of these objects
	}
	if h.covered = h.covers.count(); h.covered < h.least() && (len(parts) == 1 || !x.labels.refused.without(h.covers).empty()) {
		return nil
	}
	return h
}

// look takes the rows at which the parts were found to be true.
func (h *hypothesis) look(u *universe) {
	h.holds = u.holds(h.parts[0].Expr)
	for _, part := range h.parts[1:] {
		h.holds = h.holds.and(u.holds(part.Expr))
	}
}

// mostParts bounds the conditions of one hypothesis.
const mostParts = 4

// conjunction returns conditions that are true at every refused row and never all true at an accepted
// one; nil: there are none. Each of them rules out as many accepted rows as possible.
func (x *explanation) conjunction(of []*rules.Condition) (parts []*rules.Condition) {
	of = slices.DeleteFunc(of, func(c *rules.Condition) bool { return !x.labels.refused.without(x.universe.holds(c.Expr)).empty() })
	rest := x.labels.accepted
	for !rest.empty() && len(of) > 0 && len(parts) < mostParts {
		best := slices.MinFunc(of, func(a, b *rules.Condition) int {
			return cmp.Or(rest.and(x.universe.holds(a.Expr)).count()-rest.and(x.universe.holds(b.Expr)).count(), a.Weight-b.Weight, cmp.Compare(a.Expr, b.Expr))
		})
		left := rest.and(x.universe.holds(best.Expr))
		if left.count() == rest.count() {
			return nil
		}
		parts, rest = append(parts, best), left
	}
	if !rest.empty() {
		return nil
	}
	for i := 0; i < len(parts) && len(parts) > 1; { // later parts may rule out what an earlier one did
		left := x.labels.accepted
		for j, part := range parts {
			if j != i {
				left = left.and(x.universe.holds(part.Expr))
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
func (x *explanation) weight() int {
	sum := 3 * len(x.chosen)
	for _, h := range x.chosen {
		sum += h.weight()
	}
	return sum
}

// choose selects the simplest hypotheses that together explain all refused rows.
func (x *explanation) choose(sound []*hypothesis) {
	x.chosen, x.rivals, x.open = nil, nil, x.labels.refused
	order := func(a, b *hypothesis) int {
		return cmp.Or(b.covers.and(x.open).count()-a.covers.and(x.open).count(), a.weight()-b.weight(), cmp.Compare(a.expr(), b.expr()))
	}
	for !x.open.empty() && len(sound) > 0 && len(x.chosen) < mostRules {
		best := slices.MinFunc(sound, order)
		if best.covers.and(x.open).empty() {
			break
		}
		x.chosen = append(x.chosen, best)
		x.open = x.open.without(best.covers)
	}
	x.prune()
	if !x.open.empty() { // what explains only a part must be likely by itself
		x.chosen = slices.DeleteFunc(x.chosen, func(h *hypothesis) bool {
			return h.weight() > likely || h.least() > 1 || h.covered < leastOfPart
		})
		x.open = x.labels.refused
		for _, h := range x.chosen {
			x.open = x.open.without(h.covers)
		}
	}
	slices.SortStableFunc(sound, func(a, b *hypothesis) int {
		return cmp.Or(b.covered-a.covered, a.weight()-b.weight(), cmp.Compare(a.expr(), b.expr()))
	})
	for _, h := range sound {
		if len(x.rivals) < mostRivals && !slices.Contains(x.chosen, h) {
			x.rivals = append(x.rivals, h)
		}
	}
}

// prune drops hypotheses whose rows the others explain too.
func (x *explanation) prune() {
	for i := 0; i < len(x.chosen); i++ {
		var others bits
		for j, h := range x.chosen {
			if i != j {
				others = others.or(h.covers)
			}
		}
		if x.chosen[i].covers.without(others).empty() {
			x.chosen = slices.Delete(x.chosen, i, i+1)
			i--
		}
	}
}
