package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// ExplainAll explains those sites that are wanted, one after another. Those at outer places come first: more is known
// about them, and the same errors at inner places often have the same reasons.
func (f *Finder) ExplainAll(ctx context.Context, wanted func(*evidence.Site) bool) error {
	defer func() { f.evidence.Work = evidence.Work{} }() // what follows is not about the last site
	slices.SortStableFunc(f.evidence.Sites, func(a, b *evidence.Site) int {
		return cmp.Or(len(a.Field.Place)-len(b.Field.Place), a.Compare(b))
	})
	if err := f.explainByReadings(ctx, wanted); err != nil {
		return err
	}
	var late []*evidence.Site
	for n := 0; n < len(f.evidence.Sites); n++ { // probes may find more
		of := f.evidence.Sites[n]
		if !wanted(of) || f.IsRead(of) || f.evidence.NeedsRequest(of) {
			continue
		}
		f.evidence.Progress("site %d of %d: %s", n+1, len(f.evidence.Sites), of.Name())
		inTime, err := f.explainWithin(ctx, of, len(f.evidence.Sites)-n)
		if err != nil {
			return err
		}
		if !inTime {
			late = append(late, of)
		}
	}
	for n, of := range late { // what the others left
		f.evidence.Progress("again, site %d of %d: %s", n+1, len(late), of.Name())
		inTime, err := f.explainWithin(ctx, of, len(late)-n)
		if err != nil {
			return err
		}
		f.TimeOver = f.TimeOver || !inTime
	}
	return nil
}

// explainWithin explains a site in its part of the time for some sites. It returns false if that was too short.
func (f *Finder) explainWithin(ctx context.Context, of *evidence.Site, sites int) (bool, error) {
	found, err := f.explainSite(f.slice(ctx, sites), of, nil)
	for _, u := range f.Universes {
		u.dropCompiled()
	}
	if of.Spent = errors.Is(err, evidence.ErrSpent); of.Spent {
		err = nil
	}
	if len(found) > 0 {
		f.Explained[of] = found
	}
	of.Contradicted = err == nil && len(found) > 0 && !slices.ContainsFunc(found, func(x *Explanation) bool {
		return len(x.Chosen) > 0 || x.Labels.accepted.empty() || x.Labels.Refused.empty()
	})
	if err := f.save(); err != nil {
		return false, err
	}
	if err != nil && ctx.Err() != nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return false, err
	}
	return err == nil, nil
}

// slice returns a context for one of some sites, so that a hard one leaves time for the others. It ends
// with the next slice.
func (f *Finder) slice(ctx context.Context, sites int) context.Context {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return ctx
	}
	if f.sliceEnd != nil {
		f.sliceEnd()
	}
	share := time.Until(deadline) / time.Duration(sites)
	sliced, cancel := context.WithTimeout(ctx, max(share, time.Second))
	f.sliceEnd = cancel
	return sliced
}

// explainSite returns the best explanations of a site at one of its places. If its errors have no path, all places are
// tried, because a condition at the wrong one may fit a few objects by chance: the simplest explanation is the best.
func (f *Finder) explainSite(ctx context.Context, of *evidence.Site, readings []*evidence.Reading) (best []*Explanation, err error) {
	f.evidence.Work = evidence.Work{}
	if f.evidence.Requests == nil {
		if err := f.evidence.Unmask(ctx, of); err != nil {
			return nil, err
		}
	}
	f.evidence.FindLikelyPlaces(of)
	if f.evidence.Requests == nil {
		if err := f.evidence.FindCreates(ctx, of); err != nil {
			return nil, err
		}
	}
	for _, at := range of.Places(f.evidence.Target.Document.Root) {
		found, err := f.explainAt(ctx, of, at, readings)
		if err != nil {
			if best == nil {
				best = found
			}
			return best, err
		}
		if len(of.LikelyPlaces) == 0 && isComplete(found) {
			return found, nil
		}
		if len(found) > 0 && (len(best) == 0 || isBetter(found, best)) {
			best = found
		}
	}
	return best, nil
}

func isComplete(found []*Explanation) bool { return len(found) > 0 && found[len(found)-1].Complete() }

// isBetter reports whether explanations explain more of a site than others, or the same in a simpler way.
func isBetter(found, best []*Explanation) bool {
	if a, b := isComplete(found), isComplete(best); a != b {
		return a
	}
	if a, b := found[0].share(), best[0].share(); a != b {
		return a > b
	}
	weight := func(of []*Explanation) (sum int) {
		for _, x := range of {
			sum += x.weight()
		}
		return sum
	}
	return weight(found) < weight(best)
}

// explainAt returns explanations of a site at a place: of some errors at an inner scope and, if that
// scope is missing in other objects, of their errors further out. If no scope explains all of its
// errors, it returns the one that explains the most.
func (f *Finder) explainAt(ctx context.Context, of *evidence.Site, at evidence.Place, readings []*evidence.Reading) (
	found []*Explanation, err error) {
	explained := map[*evidence.Sample]bool{}
	var best *Explanation
	scopes := f.scopes(at)
	if of.Creates {
		scopes = f.ofCreates(scopes)
	}
	for _, scope := range scopes {
		s := newSubject(f.evidence, of, at, scope)
		if s == nil {
			continue
		}
		s.explained, s.readings, s.outcomes = explained, readings, f.Readings
		if err := f.transplant(ctx, s, f.universe(scope)); err != nil {
			return found, err
		}
		x, err := s.refine(ctx, f.universe(scope))
		if err != nil {
			if x != nil && len(found) == 0 && x.Complete() && !x.Labels.accepted.empty() {
				found = append(found, x)
			}
			return found, err
		}
		if !x.Complete() {
			if best == nil || len(x.Chosen) > 0 && len(best.Chosen) == 0 || x.share() > best.share() {
				best = x
			}
			continue
		}
		found = append(found, x)
		if x.Labels.elsewhere == 0 {
			return found, nil
		}
		for _, sample := range x.Labels.refusals {
			explained[sample] = true
		}
	}
	if best != nil && (len(found) == 0 || len(best.Chosen) > 0) {
		found = append(found, best)
	}
	return found, nil
}

// scopes returns the places at which rules about a place may be, the innermost first.
func (f *Finder) scopes(at evidence.Place) []evidence.Place {
	if f.evidence.Requests != nil {
		return []evidence.Place{nil}
	}
	whole := len(at) == 0
	var all []evidence.Place
	if k := rules.KindOf(at.Schema(f.evidence.Target.Document.Root)); whole || at[len(at)-1] == evidence.AnyItem || k == rules.Object {
		all = append(all, at)
	}
	for len(at) > 0 {
		at = at.Parent()
		if schema := at.Schema(f.evidence.Target.Document.Root); schema != nil && rules.KindOf(schema) == rules.Object {
			all = append(all, at)
		}
	}
	if whole {
		all = append(all, evidence.Place{"spec"})
		slices.Reverse(all)
	}
	return all
}

func (f *Finder) universe(scope evidence.Place) *Universe {
	name := scope.String()
	if f.Universes[name] == nil {
		f.Universes[name] = NewUniverse(f.evidence.Target.Document.Root, scope, f.evidence.Options.Parallel, &f.evidence.Work)
	}
	return f.Universes[name]
}

// ofCreates returns the scopes of rules about new objects only: those whose value every update had before.
func (f *Finder) ofCreates(scopes []evidence.Place) (all []evidence.Place) {
	for _, scope := range scopes {
		always := len(scope) == 0 || len(scope) == 1 && slices.Contains(f.evidence.Target.Document.Root.Required, scope[0])
		if always {
			all = append(all, scope)
		}
	}
	return all
}
