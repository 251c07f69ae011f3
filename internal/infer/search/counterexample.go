package search

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// Bounds of the search for counter-examples.
const (
	mostRounds = 24
	// mostReadRounds bounds those about what was read: the source says what no object that was found tells.
	mostReadRounds = 8

	mostBases   = 4 // of accepted and of refused objects
	mostOfRound = 1_500
)

// refine explains a site at a scope, and asks about objects that tell the hypotheses apart until none
// of them is contradicted any more, and all of them are told from their mutants if objects can. If the time
// is over early, it returns the last explanation with the error.
func (s *Subject) refine(ctx context.Context, u *Universe) (*Explanation, error) {
	var x *Explanation
	last := ""
	rounds := mostRounds
	if s.readings != nil {
		rounds = mostReadRounds
	}
	for range rounds {
		if err := s.Facts.Evidence.Work.Spent(); err != nil {
			return x, err
		}
		if s.readings == nil {
			if err := s.bisect(ctx, u); err != nil {
				return x, err
			}
		}
		now := s.explain(ctx, u)
		if ctx.Err() != nil {
			return x, ctx.Err()
		}
		x = now
		x.Unfinished = true
		before := len(s.Facts.Evidence.Samples)
		if err := s.tellApart(ctx, x, before, last); err != nil {
			return x, err
		}
		if len(s.Facts.Evidence.Samples) == before || x.signature() == last {
			if err := s.vary(ctx, x); err != nil {
				return x, err
			}
		}
		if len(s.Facts.Evidence.Samples) == before {
			if err := s.respell(ctx, x); err != nil {
				return x, err
			}
		}
		if len(s.Facts.Evidence.Samples) == before {
			break
		}
		last = x.signature()
	}
	now := s.explain(ctx, u)
	if ctx.Err() != nil {
		return x, ctx.Err()
	}
	if now.Labels.accepted.empty() { // anything explains errors that all objects have
		now.Chosen, now.open = nil, now.Labels.Refused
	}
	now.Survivors = now.withoutDecided(now.findSurvivors(ctx))
	return now, ctx.Err()
}

// tellApart asks about objects that tell the hypotheses of an explanation apart and, if these did not change since the last
// time, from their mutants.
func (s *Subject) tellApart(ctx context.Context, x *Explanation, before int, last string) error {
	if err := s.challenge(ctx, x); err != nil {
		return err
	}
	if len(x.Chosen) == 0 || len(s.Facts.Evidence.Samples) != before && x.signature() != last {
		return nil
	}
	x.universe.extend(s.Facts.Evidence.Samples)
	return s.tell(ctx, x, x.findSurvivors(ctx))
}

// challenge asks about objects at both sides of the hypotheses of an explanation. It ends early if an answer contradicts a
// chosen one: the next explanation has others.
func (s *Subject) challenge(ctx context.Context, x *Explanation) error {
	questions := s.questions(x)
	before := s.Facts.Evidence.Asked
	for take := firstQuestions; len(questions) > 0 && s.Facts.Evidence.Asked-before < mostOfRound; take *= 2 {
		var inputs []explore.Input
		for n := range questions {
			inputs = append(inputs, questions[n].take(take)...)
		}
		if _, err := s.Facts.Evidence.Ask(ctx, inputs); err != nil {
			return err
		}
		if x.look(ctx); x.contradicted() {
			return nil
		}
		questions = slices.DeleteFunc(questions, func(q question) bool {
			return len(q.inputs) == 0 || q.of != nil && x.contradicts(q.of)
		})
	}
	return nil
}

// firstQuestions is how many inputs are asked about first for each hypothesis.
const firstQuestions = 8

// mostOfAllBases is how many changes of a hypothesis are tried with each base. Others, such as texts of many forms, are tried
// with two of them each.
const mostOfAllBases = 16

// question is what to ask about a hypothesis; nil: about all that are chosen.
type question struct {
	of     *Hypothesis
	inputs []explore.Input
}

// take takes some inputs out of a question.
func (q *question) take(most int) (taken []explore.Input) {
	n := min(len(q.inputs), most)
	taken, q.inputs = q.inputs[:n], q.inputs[n:]
	return taken
}

// questions returns inputs for each chosen hypothesis and each rival. Many have the same changes.
func (s *Subject) questions(x *Explanation) (all []question) {
	bases := x.bases()
	type changed struct {
		first  *rules.Change
		base   int
		update bool
	}
	known := map[changed]bool{}
	add := func(of *Hypothesis, tries []rules.Try, update bool) {
		q := question{of: of}
		for number, changes := range tries {
			for n, base := range bases {
				if number >= mostOfAllBases && n%mostBases != number%mostBases || len(changes) == 1 &&
					known[changed{&changes[0], n, update}] {
					continue
				}
				if in, ok := base.changed(changes, update); ok {
					q.inputs = append(q.inputs, in)
				}
				if len(changes) == 1 {
					known[changed{&changes[0], n, update}] = true
				}
			}
		}
		all = append(all, q)
	}
	for _, h := range x.Chosen {
		add(nil, rules.TriesOf(h.Parts), h.isUpdate())
		add(nil, s.cures(h), h.isUpdate())
	}
	for _, h := range x.rivals {
		add(h, rules.TriesOf(h.Parts), h.isUpdate())
	}
	return all
}

// look looks at new samples: what they say about the hypotheses.
func (x *Explanation) look(ctx context.Context) {
	x.universe.extend(x.Subject.Facts.Evidence.Samples)
	x.Labels = x.universe.labelsOf(x.Subject)
	x.open = x.Labels.Refused
	for _, h := range slices.Concat(x.Chosen, x.rivals) {
		x.universe.evaluate(ctx, exprsOf(h.Parts), x.Labels.known())
		h.look(x.universe)
	}
	for _, h := range x.Chosen {
		x.open = x.open.without(h.holds)
	}
}

// contradicted reports whether the samples contradict what is chosen, or have refused rows that it does not explain.
func (x *Explanation) contradicted() bool {
	return len(x.Chosen) > 0 && (!x.open.empty() || slices.ContainsFunc(x.Chosen, x.contradicts))
}

// contradicts reports whether a hypothesis is true at an accepted row.
func (x *Explanation) contradicts(h *Hypothesis) bool { return !h.holds.and(x.Labels.accepted).empty() }

// Bounds of the changes of other fields.
const (
	mostCured = 6
	mostCures = 60
)

// cures returns changes of the other fields that the error may be about, alone and with those of a
// hypothesis: a hypothesis may be too simple because no object had them.
func (s *Subject) cures(h *Hypothesis) []rules.Try {
	var others []rules.Try
	cured := 0
	for _, p := range s.Facts.Focus {
		if len(p) == 0 || slices.ContainsFunc(h.Parts, func(c *rules.Condition) bool { return slices.Equal(c.About, p) }) {
			continue
		}
		var tries []rules.Try
		for _, c := range append(rules.Presence(s.Facts, p), rules.Equalities(s.Facts, p)...) {
			tries = append(tries, c.Tries...)
		}
		if len(tries) > 0 && cured < mostCured {
			cured++
			others = append(others, tries[:min(len(tries), mostCures/mostCured)]...)
		}
	}
	own := rules.TriesOf(h.Parts)
	var all []rules.Try
	for _, one := range own[:min(len(own), 4)] {
		for _, other := range others {
			all = append(all, slices.Concat(one, other))
		}
	}
	return append(all, others...)
}

// signature identifies what is chosen.
func (x *Explanation) signature() string {
	var all []string
	for _, h := range x.Chosen {
		all = append(all, h.Expr())
	}
	return strings.Join(all, "\n")
}

// bases returns rows to change: some at which the error is reported, and some of accepted objects.
// The smallest objects come first.
func (x *Explanation) bases() []row {
	var all []row
	for _, of := range []bits{x.Labels.accepted, x.Labels.Refused} {
		var some []row
		for i, r := range x.universe.rows {
			if of.has(i) && len(r.of.Reported) <= 1 {
				some = append(some, r)
			}
		}
		slices.SortStableFunc(some, func(a, b row) int { return a.of.Size - b.of.Size })
		if len(some) > mostBases { // small ones, one of the middle and a large one
			some = append(slices.Clone(some[:mostBases-2]), some[len(some)/2], some[len(some)-1])
		}
		all = append(all, some...)
	}
	return all
}

// changed returns the input of a row with changes below its path. An update changes the object of
// the row.
func (r row) changed(changes rules.Try, isUpdate bool) (explore.Input, bool) {
	var now, before any = r.of.Object, r.of.Old
	if r.of.Old == nil && isUpdate {
		now = evidence.Stored(r.of.Object)
		before = now
	}
	for _, c := range changes {
		path := r.path.Join(c.Field.Path()...)
		if len(path) == 0 {
			return explore.Input{}, false
		}
		to := c.To
		if to == nil {
			return explore.Input{}, false
		}
		if c.Before {
			before = path.Set(before, to)
		} else {
			now = path.Set(now, to)
		}
	}
	in := explore.Input{}
	in.Object, _ = now.(map[string]any)
	if before != nil {
		in.Old, _ = before.(map[string]any)
	}
	return in, in.Object != nil
}

// mostSteps bounds the neighbours of a field that are brought together.
const mostSteps = 6

// bisect asks about values between accepted and refused ones until they are neighbours.
func (s *Subject) bisect(ctx context.Context, u *Universe) error {
	u.extend(s.Facts.Evidence.Samples)
	l := u.labelsOf(s)
	for _, p := range s.Facts.Focus {
		for _, m := range rules.MeasuresOf(s.Facts.KindOf(p)) {
			steps := s.steps(u, p, m, nil, l)
			if len(steps) == 0 && slices.Equal(p, s.Facts.Target) {
				steps = s.guardedSteps(ctx, u, p, m, l)
			}
			for _, step := range steps[:min(len(steps), mostSteps)] {
				if err := s.narrow(ctx, p, m, step); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// guardedSteps returns the neighbours among the rows of each guard.
func (s *Subject) guardedSteps(ctx context.Context, u *Universe, p evidence.Place, m rules.Measure, l labels) []labelStep {
	var all []labelStep
	for _, field := range s.Facts.Fields[:min(len(s.Facts.Fields), rules.MostGuards)] {
		if len(all) >= mostSteps {
			break
		}
		if slices.Equal(field, p) {
			continue
		}
		var guards []*rules.Condition
		for _, guard := range append(rules.Presence(s.Facts, field), rules.Equalities(s.Facts, field)...) {
			guards = append(guards, &guard)
		}
		u.evaluate(ctx, exprsOf(guards), l.Refused)
		guards = slices.DeleteFunc(guards, func(guard *rules.Condition) bool { return u.holds(guard.Expr()).and(l.Refused).empty() })
		u.evaluate(ctx, exprsOf(guards), l.known())
		for _, guard := range guards {
			all = append(all, s.steps(u, p, m, u.holds(guard.Expr()), l)...)
		}
	}
	return all
}

// mostHalvings bounds the questions about one bound.
const mostHalvings = 64

// narrow asks about values between two neighbours.
func (s *Subject) narrow(ctx context.Context, p evidence.Place, m rules.Measure, step labelStep) error {
	low, high := step.low, step.high
	for range mostHalvings {
		middle := math.Floor((low + high) / 2)
		if middle <= low || middle >= high {
			return nil
		}
		value, ok := rules.Measuring(s.Facts, p, m, middle)
		if !ok {
			return nil
		}
		in, ok := step.accepted.changed(rules.Try{{Field: p, To: value}}, false)
		if !ok {
			return nil
		}
		answers, err := s.Facts.Evidence.Ask(ctx, []explore.Input{in})
		if err != nil || answers[0] == nil {
			return err
		}
		reports := slices.ContainsFunc(answers[0].Reported, func(r evidence.Reported) bool { return r.Site == s.Facts.Site.Key })
		switch {
		case !answers[0].Accepted && !reports:
			return nil
		case answers[0].Accepted == step.lowAccepted:
			low = middle
		default:
			high = middle
		}
	}
	return nil
}
