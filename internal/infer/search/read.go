package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// ReadOutcome is what became of a reading.
type ReadOutcome struct {
	Text string
	// Accepted is an object for which the reading is true although the native validator accepts it; nil: there is none.
	Accepted *evidence.Sample
}

// ReadExplains and the others are the texts of outcomes.
const (
	ReadExplains     = "explains the errors"
	readUnplaced     = "needs more than the definition knows at the place of the error"
	readUncompiled   = "cannot be evaluated with the schema"
	readOnAccepted   = "is refuted: it is true for an accepted object"
	readOnlyOnOthers = "is true for none of the refused objects"
	readInPart       = "does not explain all errors"
)

// explainByReadings explains sites as the source of the native validator says, all of them before any is searched for. Those
// for which the time was too short get half of what is left.
func (f *Finder) explainByReadings(ctx context.Context, wanted func(*evidence.Site) bool) error {
	var late []*evidence.Site
	for n := 0; n < len(f.evidence.Sites); n++ { // probes may find more
		of := f.evidence.Sites[n]
		if len(f.evidence.ReadingsOf(of)) == 0 || !wanted(of) {
			continue
		}
		f.evidence.Progress("reading %d of %d: %s", n+1, len(f.evidence.Sites), of.Name())
		inTime, err := f.explainByReading(f.slice(ctx, len(f.evidence.Sites)-n), of)
		if err != nil || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
		if !inTime {
			late = append(late, of)
		}
	}
	for n, of := range late {
		f.evidence.Progress("reading again, %d of %d: %s", n+1, len(late), of.Name())
		if _, err := f.explainByReading(f.slice(ctx, 2*(len(late)-n)), of); err != nil || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
	}
	return nil
}

// explainByReading explains a site as the source says. It returns false if the time was too short to tell the rule from others.
func (f *Finder) explainByReading(ctx context.Context, of *evidence.Site) (inTime bool, err error) {
	found, err := f.explainSite(ctx, of, f.evidence.ReadingsOf(of))
	switch {
	case isComplete(found):
		f.Explained[of] = found
	case isRead(f.Explained[of]):
		delete(f.Explained, of) // what is known by now contradicts it
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return !isComplete(found), f.save()
	}
	if errors.Is(err, evidence.ErrSpent) {
		err = nil
	}
	return true, errors.Join(err, f.save())
}

// explainAsRead explains a site by conditions that were read, or keywords that say the same.
func (s *Subject) explainAsRead(ctx context.Context, x *Explanation) {
	var sound []*Hypothesis
	for _, of := range s.readings {
		if of.Rule == nil {
			continue // a part is unread
		}
		c := rules.Read(s.Facts, of)
		if c != nil {
			x.universe.evaluate(ctx, []string{c.Expr()}, x.Labels.known())
			x.Tried++
			if h := x.consider([]*rules.Condition{c}); h != nil {
				sound = append(sound, x.asKeywords(ctx, h)...)
			}
		}
		s.outcomes[of] = x.outcome(c)
	}
	x.choose(sound)
}

// asKeywords returns hypotheses that keywords say and that are true where one that was read is, also on objects with other
// errors; without them, itself.
func (x *Explanation) asKeywords(ctx context.Context, read *Hypothesis) (all []*Hypothesis) {
	for _, part := range rules.Alternatives(read.Parts[0]) {
		keywords := rules.Keywords(x.Subject.Facts, part)
		x.universe.evaluate(ctx, exprsOf(append(slices.Clip(keywords), part)), x.universe.all())
		holds, before := x.universe.holds(part.Expr()), len(all)
		for _, c := range keywords {
			other := x.universe.holds(c.Expr())
			if h := x.consider([]*rules.Condition{c}); h != nil && holds.without(other).empty() && other.without(holds).empty() {
				all = append(all, h)
			}
		}
		x.Tried += len(keywords)
		if len(all) == before && !holds.empty() {
			return []*Hypothesis{read}
		}
	}
	return all
}

// outcome says what became of a condition that was read.
func (x *Explanation) outcome(c *rules.Condition) ReadOutcome {
	switch {
	case c == nil:
		return ReadOutcome{Text: readUnplaced}
	case x.universe.wrong[c.Expr()]:
		return ReadOutcome{Text: readUncompiled}
	}
	switch holds := x.universe.holds(c.Expr()); {
	case !holds.and(x.Labels.accepted).empty():
		return ReadOutcome{readOnAccepted, x.smallest(holds.and(x.Labels.accepted))}
	case holds.and(x.Labels.Refused).empty():
		return ReadOutcome{Text: readOnlyOnOthers}
	case !x.Labels.Refused.without(holds).empty():
		return ReadOutcome{Text: readInPart}
	}
	return ReadOutcome{Text: ReadExplains}
}

// isRead reports whether the source says all parts of the hypothesis.
func (h *Hypothesis) isRead() bool {
	return !slices.ContainsFunc(h.Parts, func(c *rules.Condition) bool { return !c.Read })
}

// isRead reports whether explanations are from the source.
func isRead(found []*Explanation) bool {
	return len(found) > 0 && !slices.ContainsFunc(found, func(x *Explanation) bool { return x.Subject.readings == nil })
}
