package search

import (
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// mostChanges is how often the labels of a measure may change. More often, they do not depend on it.
const mostChanges = 8

// marksOf returns the numbers at which the labels of a measure change, and those of the text.
func (s *Subject) marksOf(u *Universe, p evidence.Place, m rules.Measure, l labels) (at []float64) {
	for _, n := range s.Facts.TextNumbers(s.Facts.KindOf(p)) {
		f, _ := rules.OfValue.Of(n)
		at = append(at, f)
	}
	if m == rules.Characters || m == rules.Items || m == rules.Entries || m == rules.ByteCount {
		at = append(at, 1)
	}
	if m == rules.OfValue {
		at = append(at, 0, 1)
	}
	if steps := s.steps(u, p, m, nil, l); len(steps) <= mostChanges {
		for _, step := range steps {
			at = append(at, step.low, step.high)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// labelStep is a change of labels between two neighbours of a measure.
type labelStep struct {
	low, high   float64
	accepted    row // the row of the one that is accepted
	lowAccepted bool
}

// steps returns the neighbours of a measure of which one is accepted, and the other refused.
func (s *Subject) steps(u *Universe, p evidence.Place, m rules.Measure, rows bits, l labels) []labelStep {
	type seen struct {
		accepted, refused bool
		row               row
	}
	byMeasure := map[float64]*seen{}
	var order []float64
	for i, r := range u.rows {
		if rows != nil && !rows.has(i) || !l.accepted.has(i) && !l.Refused.has(i) {
			continue
		}
		value, has := p.Path().Get(r.self)
		n, measured := m.Of(value)
		if !has || !measured {
			continue
		}
		one := byMeasure[n]
		if one == nil {
			one = &seen{}
			byMeasure[n] = one
			order = append(order, n)
		}
		if l.accepted.has(i) && !one.accepted {
			one.accepted, one.row = true, r
		}
		one.refused = one.refused || l.Refused.has(i)
	}
	slices.Sort(order)
	var all []labelStep
	for i := 1; i < len(order); i++ {
		low, high := byMeasure[order[i-1]], byMeasure[order[i]]
		if low.accepted == high.accepted || low.accepted && low.refused || high.accepted && high.refused {
			continue
		}
		step := labelStep{low: order[i-1], high: order[i], accepted: high.row, lowAccepted: low.accepted}
		if low.accepted {
			step.accepted = low.row
		}
		all = append(all, step)
	}
	return all
}

// conditionalBounds returns bounds at the numbers that separate refused from accepted values where a
// guard holds.
func (s *Subject) conditionalBounds(u *Universe, l labels, guards []*rules.Condition) []*rules.Condition {
	if len(s.Facts.Target) == 0 {
		return nil
	}
	var all []*rules.Condition
	for _, m := range rules.MeasuresOf(s.Facts.KindOf(s.Facts.Target)) {
		for _, guard := range guards {
			holds := u.holds(guard.Expr())
			if holds.and(l.accepted).empty() || holds.and(l.Refused).empty() {
				continue
			}
			var at []float64
			steps := s.steps(u, s.Facts.Target, m, holds, l)
			if len(steps) > mostChanges {
				continue
			}
			for _, step := range steps {
				at = append(at, step.low, step.high)
			}
			all = append(all, rules.Pointers(rules.Bounds(s.Facts, s.Facts.Target, m, at))...)
		}
	}
	return all
}
