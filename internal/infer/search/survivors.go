package search

import (
	"context"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/object"
)

// survivor is a mutant of a chosen hypothesis that agrees with it on all that the native validator was asked: no refused
// or accepted object shows that the hypothesis, and not the mutant, is the rule.
type survivor struct {
	// Mutant is the expression that may be true where the error is reported, and of the hypothesis with this index.
	Mutant string
	of     int
	// hiddenOn is the smallest object on which they differ: the native validator refuses it for other reasons; nil: none was made.
	hiddenOn *evidence.Sample
}

// Bounds of the search for objects that tell a hypothesis from its mutants.
const (
	mostCombinations = 256 // of values, for one object
	mostTold         = 6   // objects that are asked about for a mutant
)

// findSurvivors returns the mutants of the chosen hypotheses from which no object tells them. It counts the others: those that an
// object tells from them, and those that are equivalent on all objects that were made, whatever the native validator says.
func (x *Explanation) findSurvivors(ctx context.Context) []survivor {
	var all []survivor
	x.Told, x.Equivalent = 0, 0
	known := x.Labels.known()
	for _, h := range x.Chosen {
		x.universe.evaluate(ctx, exprsOf(h.Parts), x.universe.all())
		h.look(x.universe)
	}
	for n, h := range x.Chosen {
		mutants := rules.Mutants(h.Refuses())
		x.universe.evaluate(ctx, mutants, x.universe.all())
		others := x.others(n)
		for _, mutant := range mutants {
			if x.universe.wrong[mutant] {
				continue
			}
			holds := x.universe.holds(mutant)
			differ := h.holds.without(holds).or(holds.without(h.holds))
			switch {
			case !differ.and(known).without(others).empty():
				x.Told++
			case differ.empty() && x.Subject.equivalent[[2]string{h.Expr(), mutant}]:
				x.Equivalent++
			default:
				all = append(all, survivor{Mutant: mutant, of: n, hiddenOn: x.smallest(differ)})
			}
		}
	}
	return all
}

// withoutDecided returns survivors without those that the source decides. It counts these.
func (x *Explanation) withoutDecided(all []survivor) []survivor {
	return slices.DeleteFunc(all, func(d survivor) bool {
		isDecided := d.hiddenOn != nil && x.Chosen[d.of].isRead()
		if isDecided {
			x.Decided++
		}
		return isDecided
	})
}

// smallest returns the sample of some rows that is the smallest; nil: there are no rows.
func (x *Explanation) smallest(rows bits) (smallest *evidence.Sample) {
	for n, r := range x.universe.rows {
		if rows.has(n) && (smallest == nil || r.of.Size < smallest.Size) {
			smallest = r.of
		}
	}
	return smallest
}

// others returns the rows that the other chosen hypotheses explain.
func (x *Explanation) others(n int) (rows bits) {
	for i, h := range x.Chosen {
		if i != n {
			rows = rows.or(h.holds)
		}
	}
	return rows
}

// tell asks about objects on which hypotheses and the mutants that survived differ.
func (s *Subject) tell(ctx context.Context, x *Explanation, survivors []survivor) error {
	var all []telling
	var inputs []explore.Input
	for n, h := range x.Chosen {
		exprs := []string{h.Expr()}
		for _, d := range survivors {
			if d.of == n {
				exprs = append(exprs, d.Mutant)
			}
		}
		if len(exprs) == 1 {
			continue
		}
		if p := x.universe.Compile(exprs); p != nil && slices.Contains(p.exprs, exprs[0]) {
			one := s.telling(ctx, x, h, *p)
			all, inputs = append(all, one), append(inputs, one.inputs...)
		}
	}
	if _, err := s.Facts.Evidence.Ask(ctx, inputs); err != nil {
		return err
	}
	for _, one := range all {
		for _, mutant := range one.mutants {
			if one.made >= leastMade {
				s.equivalent[[2]string{one.expr, mutant}] = true
			}
		}
	}
	return nil
}

// telling are inputs on which an expression differs from some of its mutants.
type telling struct {
	expr    string
	mutants []string
	inputs  []explore.Input
	differ  map[string]int // how many of the inputs there are for each mutant
	made    int            // objects, with those that show no difference
}

// telling returns inputs on which the first expression of a probe differs from others.
func (s *Subject) telling(ctx context.Context, x *Explanation, h *Hypothesis, p probe) telling {
	t := telling{expr: p.exprs[0], mutants: p.exprs[1:], differ: map[string]int{}}
	combinations := s.combinations(h)
	for _, base := range x.bases() {
		for _, changes := range combinations {
			in, ok := base.changed(changes, h.isUpdate())
			if !ok || ctx.Err() != nil || !s.Facts.Evidence.CanBeStored(in) {
				continue
			}
			one := &evidence.Sample{Input: in}
			if !s.Facts.Evidence.DecodeUnmutated(one) {
				continue
			}
			rows := x.universe.rowsOf(one)
			if len(rows) == 0 {
				continue
			}
			wanted := false
			t.made++
			for _, r := range rows {
				holds := p.holding(ctx, r)
				for _, mutant := range p.exprs[1:] {
					if slices.Contains(holds, mutant) != slices.Contains(holds, p.exprs[0]) && t.differ[mutant] < mostTold {
						t.differ[mutant]++
						wanted = true
					}
				}
			}
			if wanted {
				t.inputs = append(t.inputs, in)
			}
		}
	}
	return t
}

// leastMade is how many objects with values at the scope must show no difference before a mutant counts as equivalent.
const leastMade = 20

// combinations returns sets of values for the fields of a hypothesis: those with which its parts become true or false,
// those that objects have, and none.
func (s *Subject) combinations(h *Hypothesis) []rules.Try {
	var axes [][]rules.Change
	axis := func(field evidence.Place, before bool) int {
		at := slices.IndexFunc(axes, func(all []rules.Change) bool { return slices.Equal(all[0].Field, field) && all[0].Before == before })
		if at < 0 {
			at = len(axes)
			axes = append(axes, []rules.Change{{Field: field, To: object.Absence{}, Before: before}})
			for _, value := range s.Facts.Seen[field.String()][:min(len(s.Facts.Seen[field.String()]), 4)] {
				axes[at] = append(axes[at], rules.Change{Field: field, To: value, Before: before})
			}
		}
		return at
	}
	for _, part := range h.Parts {
		for _, field := range part.Fields {
			if len(field) > 0 {
				axis(field, false)
			}
		}
		for _, changes := range part.Tries {
			for _, c := range changes {
				at := axis(c.Field, c.Before)
				known := slices.ContainsFunc(axes[at], func(o rules.Change) bool { return evidence.Equal(o.To, c.To) })
				if !known && len(axes[at]) < mostOfAxis {
					axes[at] = append(axes[at], c)
				}
			}
		}
	}
	all := []rules.Try{nil}
	for _, values := range axes {
		var longer []rules.Try
		for _, one := range all {
			longer = append(longer, one) // the value of the object
			for _, c := range values {
				longer = append(longer, append(slices.Clone(one), c))
			}
		}
		all = Spread(longer, mostCombinations)
	}
	return append(all, s.alike(all)...)
}

// mostAlike bounds the combinations that are made alike.
const mostAlike = 24

// alike returns combinations in which the numbers beside a field have its value too: beside a bound of one field, an object
// may break the order of two.
func (s *Subject) alike(combinations []rules.Try) (all []rules.Try) {
	for _, one := range combinations {
		if len(one) != 1 || one[0].Before || len(one[0].Field) == 0 || len(all) >= mostAlike {
			continue
		}
		field := one[0].Field
		if _, isNumber := one[0].To.(int64); !isNumber {
			continue
		}
		changed := slices.Clone(one)
		for _, other := range s.Facts.Fields {
			k := s.Facts.KindOf(other)
			if !slices.Equal(other, field) && slices.Equal(other.Parent(), field.Parent()) && (k == rules.Whole || k == rules.IntOrString) {
				changed = append(changed, rules.Change{Field: other, To: one[0].To})
			}
		}
		if len(changed) > 1 {
			all = append(all, changed)
		}
	}
	return all
}

// mostOfAxis bounds the values of one field.
const mostOfAxis = 14

// Spread returns some of a list, from its beginning to its end.
func Spread[T any](all []T, most int) []T {
	if len(all) <= most {
		return all
	}
	out := make([]T, most)
	for i := range out {
		out[i] = all[i*len(all)/most]
	}
	return out
}

// SurvivorsText says which other rules fit as well.
func SurvivorsText(survivors []string) string {
	return "no object tells the rule from errors where: " + strings.Join(survivors, "; or: ")
}

// SmallestHidden returns the smallest object on which the survivors of some explanations differ from their hypotheses; nil: there is none.
func SmallestHidden(found []*Explanation) (smallest *evidence.Sample) {
	for _, x := range found {
		for _, d := range x.Survivors {
			if d.hiddenOn != nil && (smallest == nil || d.hiddenOn.Size < smallest.Size) {
				smallest = d.hiddenOn
			}
		}
	}
	return smallest
}
