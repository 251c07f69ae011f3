package infer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// explainAll explains those sites that are wanted, one after another. Those at outer places come first: more is known
// about them, and the same errors at inner places often have the same reasons.
func (i *inference) explainAll(ctx context.Context, wanted func(*site) bool) error {
	slices.SortStableFunc(i.sites, func(a, b *site) int {
		return cmp.Or(len(a.field.place)-len(b.field.place), a.compare(b))
	})
	var late []*site
	for n := 0; n < len(i.sites); n++ { // probes may find more
		of := i.sites[n]
		if !wanted(of) {
			continue
		}
		i.progress("site %d of %d: %s", n+1, len(i.sites), of.name())
		inTime, err := i.explainWithin(ctx, of, len(i.sites)-n)
		if err != nil {
			return err
		}
		if !inTime {
			late = append(late, of)
		}
	}
	for n, of := range late { // what the others left
		i.progress("again, site %d of %d: %s", n+1, len(late), of.name())
		inTime, err := i.explainWithin(ctx, of, len(late)-n)
		if err != nil {
			return err
		}
		i.timeOver = i.timeOver || !inTime
	}
	return nil
}

// explainWithin explains a site in its part of the time for some sites. It returns false if that was too short.
func (i *inference) explainWithin(ctx context.Context, of *site, sites int) (bool, error) {
	found, err := i.explainSite(i.slice(ctx, sites), of)
	for _, u := range i.universes {
		u.dropCompiled()
	}
	if of.spent = errors.Is(err, errSpent); of.spent {
		err = nil
	}
	if len(found) > 0 {
		i.explained[of] = found
	}
	of.contradicted = err == nil && len(found) > 0 && !slices.ContainsFunc(found, func(x *explanation) bool {
		return len(x.chosen) > 0 || x.labels.accepted.empty() || x.labels.refused.empty()
	})
	if err := i.saveSometimes(); err != nil {
		return false, err
	}
	if err != nil && ctx.Err() != nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return false, err
	}
	return err == nil, nil
}

// slice returns a context for one of some sites, so that a hard one leaves time for the others. It ends
// with the next slice.
func (i *inference) slice(ctx context.Context, sites int) context.Context {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return ctx
	}
	if i.sliceEnd != nil {
		i.sliceEnd()
	}
	share := time.Until(deadline) / time.Duration(sites)
	sliced, cancel := context.WithTimeout(ctx, max(share, time.Second))
	i.sliceEnd = cancel
	return sliced
}

// explainSite returns the best explanations of a site at one of its places. If its errors have no path, all places are
// tried, because a condition at the wrong one may fit a few objects by chance: the simplest explanation is the best.
func (i *inference) explainSite(ctx context.Context, of *site) (best []*explanation, err error) {
	if i.requests == nil {
		if err := i.unmask(ctx, of); err != nil {
			return nil, err
		}
	}
	i.findLikelyPlaces(of)
	i.work = work{}
	if i.requests == nil {
		if err := i.findCreates(ctx, of); err != nil {
			return nil, err
		}
	}
	for _, at := range of.places(i.target.Document.Root) {
		found, err := i.explainAt(ctx, of, at)
		if err != nil {
			if best == nil {
				best = found
			}
			return best, err
		}
		if len(of.likelyPlaces) == 0 && isComplete(found) {
			return found, nil
		}
		if len(found) > 0 && (len(best) == 0 || isBetter(found, best)) {
			best = found
		}
	}
	return best, nil
}

func isComplete(found []*explanation) bool { return len(found) > 0 && found[len(found)-1].complete() }

// isBetter reports whether explanations explain more of a site than others, or the same in a simpler way.
func isBetter(found, best []*explanation) bool {
	if a, b := isComplete(found), isComplete(best); a != b {
		return a
	}
	if a, b := found[0].share(), best[0].share(); a != b {
		return a > b
	}
	weight := func(of []*explanation) (sum int) {
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
func (i *inference) explainAt(ctx context.Context, of *site, at place) (found []*explanation, err error) {
	explained := map[*sample]bool{}
	var best *explanation
	scopes := i.scopes(at)
	if of.creates {
		scopes = i.ofCreates(scopes)
	}
	for _, scope := range scopes {
		s := newSubject(i.evidence, of, at, scope)
		if s == nil {
			continue
		}
		s.explained, s.remembered = explained, i.remembered[s.savedKey()]
		s.known = i.relatives(s)
		if err := i.transplant(ctx, s, i.universe(scope)); err != nil {
			return found, err
		}
		x, err := s.refine(ctx, i.universe(scope))
		if err != nil {
			if x != nil && len(found) == 0 && x.complete() && !x.labels.accepted.empty() {
				found = append(found, x)
			}
			return found, err
		}
		if !x.complete() {
			if best == nil || len(x.chosen) > 0 && len(best.chosen) == 0 || x.share() > best.share() {
				best = x
			}
			continue
		}
		found = append(found, x)
		if x.labels.elsewhere == 0 {
			return found, nil
		}
		for _, sample := range x.labels.refusals {
			explained[sample] = true
		}
	}
	if best != nil && (len(found) == 0 || len(best.chosen) > 0) {
		found = append(found, best)
	}
	return found, nil
}

// scopes returns the places at which rules about a place may be, the innermost first.
func (i *inference) scopes(at place) []place {
	if i.requests != nil {
		return []place{nil}
	}
	whole := len(at) == 0
	var all []place
	if k := kindOf(at.schema(i.target.Document.Root)); whole || at[len(at)-1] == anyItem || k == object {
		all = append(all, at)
	}
	for len(at) > 0 {
		at = at.parent()
		if schema := at.schema(i.target.Document.Root); schema != nil && kindOf(schema) == object {
			all = append(all, at)
		}
	}
	if whole {
		all = append(all, place{"spec"})
		slices.Reverse(all)
	}
	return all
}

func (i *inference) universe(scope place) *universe {
	name := scope.String()
	if i.universes[name] == nil {
		i.universes[name] = newUniverse(i.target.Document.Root, scope, i.options.Parallel, &i.work)
	}
	return i.universes[name]
}

// ofCreates returns the scopes of rules about new objects only: those whose value every update had before.
func (i *inference) ofCreates(scopes []place) (all []place) {
	for _, scope := range scopes {
		always := len(scope) == 0 || len(scope) == 1 && slices.Contains(i.target.Document.Root.Required, scope[0])
		if always {
			all = append(all, scope)
		}
	}
	return all
}
