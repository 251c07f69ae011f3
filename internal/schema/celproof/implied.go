package celproof

import (
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// Implied reports whether a rule of one schema is provably true for every value that another schema
// and other rules accept, because it is a part of such a rule or a weaker bound. The expressions
// come from celexpr.Parse.
func Implied(rule celexpr.Expr, by []celexpr.Expr, of, accepted Schema) bool {
	s, known, wanted := newSolver(rule, by, of, accepted, of.Schema != accepted.Schema)
	if !s.finish() {
		return false
	}
	premises := s.compile(known)
	premises = append(premises, s.links()...)
	for _, c := range wanted {
		if !s.follows(premises, s.test(c)) {
			return false
		}
	}
	return true
}

// newSolver returns a solver for the clauses of rules that are known to hold and of a rule that should follow. Defaults are as
// in a prover.
func newSolver(rule celexpr.Expr, by []celexpr.Expr, of, accepted Schema, defaults bool) (s *solver, known, wanted []clause) {
	prover := newProver()
	prover.defaults = defaults
	s = &solver{prover: prover, bound: self(of, accepted), index: map[string]int{}}
	for _, other := range by {
		known = append(known, clausesOf(other, isTrue)...)
	}
	wanted = clausesOf(rule, isTrue)
	for _, c := range append(known, wanted...) {
		for _, l := range c {
			s.note(l.expr)
		}
	}
	return s, known, wanted
}

// follows reports whether a test holds whenever all premises do, because no choice of points
// satisfies them and violates it.
func (s *solver) follows(premises []test, wanted test) bool {
	domains := s.whole()
	for _, l := range wanted {
		domains[l.variable] &^= l.points
	}
	steps := mostChoices
	return s.contradict(premises, domains, &steps)
}

// mostChoices is the maximum number of choices that a proof tries.
const mostChoices = 4000

// contradict reports whether no choice of points in the domains satisfies all tests.
func (s *solver) contradict(tests []test, domains []points, steps *int) bool {
	if *steps--; *steps < 0 {
		return false
	}
	if slices.Contains(domains, 0) {
		return true
	}
	for changed := true; changed; {
		changed = false
		for _, one := range tests {
			alive, at := 0, 0
			held := false
			for i, l := range one {
				if domains[l.variable]&^l.points == 0 {
					held = true
					break
				}
				if domains[l.variable]&l.points != 0 {
					alive, at = alive+1, i
				}
			}
			switch {
			case held:
			case alive == 0:
				return true
			case alive == 1 && domains[one[at].variable]&^one[at].points != 0:
				domains[one[at].variable] &= one[at].points
				changed = true
			}
		}
	}
	for _, one := range tests {
		for _, l := range one {
			yes, no := domains[l.variable]&l.points, domains[l.variable]&^l.points
			if yes == 0 || no == 0 {
				continue
			}
			for _, choice := range []points{yes, no} {
				narrower := slices.Clone(domains)
				narrower[l.variable] = choice
				if !s.contradict(tests, narrower, steps) {
					return false
				}
			}
			return true
		}
	}
	return false // all hold in this choice
}
