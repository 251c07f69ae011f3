package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/object"
)

// A hypothesis may fit only because no object had other values of a field that it does not read: an index that must be
// below a number of replicas looks as if it must be zero while nothing has replicas. So the fields elsewhere in refused
// objects are varied, alone, in groups and in pairs, as long as the hypothesis says that the object is refused. If the native
// validator accepts one of them, the hypothesis is wrong.

// variation is another value of a field.
type variation struct {
	axis int // variations of one field exclude each other
	at   evidence.Place
	path object.Path
	to   any
}

// Bounds of the variations of one refused object.
const (
	mostVariedBases = 2
	mostAxes        = 400
	mostOfVaried    = 6  // values of a field
	mostAtOnce      = 8  // variations in a group
	mixedObjects    = 24 // with about half of all variations, or some
	mostHiding      = 24 // variations behind which other errors hide the error
	mostVariedPairs = 120
	mostOfStage     = 300 // objects that are asked about
)

// vary varies the other fields of objects that the chosen hypotheses explain. It ends at an object that contradicts one.
func (s *Subject) vary(ctx context.Context, x *Explanation) error {
	for _, h := range x.Chosen {
		if s.Varied[h.Expr()] != nil {
			continue
		}
		p := x.universe.Compile([]string{h.Expr()})
		if p == nil {
			continue
		}
		out := &Varied{}
		for n, base := range s.variedBases(x, h) {
			out.Tie(h.Tied(base.Object), n == 0)
			v := &varying{subject: s, universe: x.universe, probe: p, base: base, out: out}
			if accepted, err := v.run(ctx, h); err != nil || accepted {
				return err
			}
		}
		slices.Sort(out.Fields)
		out.Fields = slices.Compact(out.Fields)
		out.Untie()
		s.Varied[h.Expr()] = out
	}
	return nil
}

// variedBases returns refused objects that a hypothesis explains: the smallest one and the largest one of those that differ
// from an accepted object in one place, because nothing else is wrong with them.
func (s *Subject) variedBases(x *Explanation, h *Hypothesis) []*evidence.Sample {
	rows := h.holds.and(x.Labels.alone)
	if rows.empty() {
		rows = h.holds.and(x.Labels.Refused)
	}
	var all []*evidence.Sample
	for n, r := range x.universe.rows {
		if rows.has(n) && !slices.Contains(all, r.of) {
			all = append(all, r.of)
		}
	}
	slices.SortStableFunc(all, func(a, b *evidence.Sample) int {
		return cmp.Or(rules.BoolRank((a.Old != nil) == h.isUpdate())-rules.BoolRank((b.Old != nil) == h.isUpdate()), a.Size-b.Size)
	})
	isNear := func(one *evidence.Sample) bool { return len(s.Facts.Evidence.Differing(one)) > 0 }
	some := slices.Clone(all[:min(len(all), evidence.MostOfASite/10)])
	var bases []*evidence.Sample
	if n := slices.IndexFunc(some, isNear); n >= 0 {
		bases = append(bases, some[n])
	}
	slices.Reverse(some)
	if n := slices.IndexFunc(some, isNear); n >= 0 && !slices.Contains(bases, some[n]) {
		bases = append(bases, some[n])
	}
	for _, one := range all {
		if len(bases) < mostVariedBases && !slices.Contains(bases, one) {
			bases = append(bases, one)
		}
	}
	return bases
}

// varying varies the fields of one object.
type varying struct {
	subject  *Subject
	universe *Universe
	probe    *probe
	base     *evidence.Sample
	out      *Varied
	// harmless are the variations after which the object has the same errors, and hiding those after which it has others.
	harmless, hiding []variation
}

// run varies fields alone and in groups, all of them at once, and those that hide the error together with others. It reports
// whether the native validator accepts one of the objects.
func (v *varying) run(ctx context.Context, h *Hypothesis) (accepted bool, err error) {
	all := v.variations(h)
	v.out.Offered += len(all)
	alone := func() [][]variation { return together(all) }
	for _, stage := range []func() [][]variation{alone, v.mixed, v.pairs} {
		if accepted, err = v.try(ctx, stage()); err != nil || accepted {
			return accepted, err
		}
	}
	for _, one := range slices.Concat(v.harmless, v.hiding) {
		if !h.reads(one.at) {
			v.out.Fields = append(v.out.Fields, one.at.String())
		}
	}
	return false, ctx.Err()
}

// with returns the object with variations. It returns false if the schema refuses it, or if the hypothesis says nothing about
// it any more.
func (v *varying) with(ctx context.Context, all []variation) (explore.Input, bool) {
	in := v.base.Input
	for _, one := range all {
		in.Object = one.path.Put(in.Object, one.to)
		if twin := v.twinOf(one.path); twin != nil {
			in.Object = twin.Put(in.Object, one.to)
		}
		if in.Old != nil && v.isKept(one.path) {
			in.Old = one.path.Put(in.Old, one.to)
		}
	}
	s := &evidence.Sample{Input: in}
	if ctx.Err() != nil || in.Object == nil || !v.subject.Facts.Evidence.IsRequest(in) ||
		!v.subject.Facts.Evidence.CanBeStored(in) || !v.subject.Facts.Evidence.DecodeUnmutated(s) {
		return in, false
	}
	if len(v.subject.Facts.Evidence.Today(ctx, s.Decoded, s.DecodedOld)) > 0 {
		return in, false
	}
	return in, slices.ContainsFunc(v.universe.rowsOf(s), func(r row) bool { return len(v.probe.holding(ctx, r)) > 0 })
}

// isKept reports whether the update leaves a field as it is.
func (v *varying) isKept(path object.Path) bool {
	now, has := path.Get(v.base.Object)
	before, had := path.Get(v.base.Old)
	return has == had && evidence.Equal(now, before)
}

// twinOf returns the path of the same field before an update, if the object is a request that keeps it; nil: it does not.
func (v *varying) twinOf(path object.Path) object.Path {
	if v.subject.Facts.Evidence.Requests == nil || len(path) < 2 || path[0].Name != evidence.FieldObject {
		return nil
	}
	if _, isUpdate := v.base.Object[evidence.FieldOldObject]; !isUpdate {
		return nil
	}
	twin := object.Of(evidence.FieldOldObject).Join(path[1:]...)
	now, has := path.Get(v.base.Object)
	before, had := twin.Get(v.base.Object)
	if has != had || !evidence.Equal(now, before) {
		return nil
	}
	return twin
}

// try asks about the object with groups of variations, and about the halves of groups that hide the error.
func (v *varying) try(ctx context.Context, groups [][]variation) (accepted bool, err error) {
	for left := mostOfStage; len(groups) > 0 && left > 0; {
		var inputs []explore.Input
		var sent, next [][]variation
		halve := func(group []variation) {
			if n := len(group) / 2; n > 0 {
				next = append(next, group[:n], group[n:])
			}
		}
		for _, group := range groups[:min(len(groups), left)] {
			if in, ok := v.with(ctx, group); ok {
				inputs, sent = append(inputs, in), append(sent, group)
			} else {
				halve(group)
			}
		}
		answers, err := v.subject.Facts.Evidence.AskForNew(ctx, inputs)
		if err != nil {
			return false, err
		}
		left, v.out.Objects = left-len(inputs), v.out.Objects+len(inputs)
		for n, s := range answers {
			switch {
			case s == nil:
			case s.Accepted:
				return true, nil
			case len(s.Reported) <= len(v.base.Reported) && slices.ContainsFunc(s.Reported, func(r evidence.Reported) bool {
				return r.Site == v.subject.Facts.Site.Key
			}):
				v.harmless = append(v.harmless, sent[n]...)
			case len(sent[n]) == 1:
				v.hiding = append(v.hiding, sent[n]...)
			default:
				halve(sent[n])
			}
		}
		groups = next
	}
	return false, nil
}

// together puts variations of different fields together.
func together(all []variation) (groups [][]variation) {
	for _, one := range all {
		at := slices.IndexFunc(groups, func(group []variation) bool { return len(group) < mostAtOnce && fits(group, one) })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], one)
	}
	return groups
}

// fits reports whether a variation can be beside others: none of them is of the same field, or of one around or in it.
func fits(group []variation, one variation) bool {
	return !slices.ContainsFunc(group, func(other variation) bool {
		n := min(len(one.path), len(other.path))
		return one.axis == other.axis || slices.Equal(one.path[:n], other.path[:n])
	})
}

// mixed returns random sets of the harmless variations, so that any two of them are likely to be in one set.
func (v *varying) mixed() (groups [][]variation) {
	all := slices.Clone(v.harmless)
	slices.SortStableFunc(all, func(a, b variation) int { return a.axis - b.axis })
	all = slices.CompactFunc(all, func(a, b variation) bool { return a.axis == b.axis && evidence.Equal(a.to, b.to) })
	v.harmless = all
	if len(all) < 2 {
		return nil
	}
	random := generate.Seeded(v.subject.Facts.Evidence.Options.Seed)
	for n := range mixedObjects {
		var group []variation
		for _, at := range shuffled(random, len(all)) {
			if random.IntN(2+n%3) == 0 && fits(group, all[at]) {
				group = append(group, all[at])
			}
		}
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}

// shuffled returns the numbers below n in a random order.
func shuffled(random generate.Source, n int) []int {
	all := make([]int, n)
	for i := range all {
		at := random.IntN(i + 1)
		all[i], all[at] = all[at], i
	}
	return all
}

// pairs returns the variations that hide the error beside each other, those with equal values first, and each of them beside
// the two halves of a random set of the others: these may cure the error that hides it.
func (v *varying) pairs() (groups [][]variation) {
	hiding := v.hiding[:min(len(v.hiding), mostHiding)]
	random := generate.Seeded(v.subject.Facts.Evidence.Options.Seed + 1)
	for _, one := range hiding {
		halves := [2][]variation{{one}, {one}}
		for _, at := range shuffled(random, len(v.harmless)) {
			if half := &halves[at%2]; fits(*half, v.harmless[at]) {
				*half = append(*half, v.harmless[at])
			}
		}
		for _, half := range halves {
			if len(half) > 1 {
				groups = append(groups, half)
			}
		}
	}
	var alike, others [][]variation
	for n, one := range hiding {
		for _, other := range hiding[n+1:] {
			switch {
			case !fits([]variation{one}, other):
			case evidence.Equal(one.to, other.to):
				alike = append(alike, []variation{one, other})
			default:
				others = append(others, []variation{one, other})
			}
		}
	}
	pairs := append(alike, others...)
	return append(groups, pairs[:min(len(pairs), mostVariedPairs)]...)
}
