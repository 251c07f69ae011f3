package mutate

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
)

// mutant is a mutation that some targets have.
type mutant struct {
	change       change
	path, within string // the first in order
	declared     string
	distinct     string // from other changes at the place
	reached      bool
	uses         []use

	killer  *input
	found   int // inputs that the change concerns by their results
	invalid error
}

// change is what a mutant changes: a keyword of a schema, or a policy.
type change interface {
	// names returns the keyword or part that changes, and the change for people.
	names() (keyword, text string)
	// apply returns the backend of a target with the change.
	apply(t *target) (harness.Backend, error)
	// concerns reports whether an input is one that the change may concern, by its result with the change.
	concerns(result *harness.Result) bool
}

// use is a target that has the keyword.
type use struct {
	target     *target
	concerns   []*input // whose result may change, those that violate the keyword first
	violations int
	compared   bool // whether all that it concerns was compared
}

// key identifies a mutation: a top schema, and the place in it.
type key struct {
	top   *spec.Schema
	place string
}

// collect returns the mutants of all keywords that validate something in a target.
func collect(targets []*target) []*mutant {
	var all []*mutant
	byTop := map[*spec.Schema]map[string]*mutation{}
	known := map[key]*mutant{}
	for _, t := range targets {
		for _, p := range t.coverage.Places() {
			for _, declared := range p.Declared {
				top, place := topOf(t.document, declared)
				if top == nil {
					continue
				}
				if byTop[top] == nil {
					byTop[top] = mutations(top)
				}
				of := byTop[top][place]
				if of == nil {
					continue // type
				}
				m := known[key{top, place}]
				if m == nil {
					m = &mutant{change: of, path: p.Path, within: p.Within, declared: declared}
					known[key{top, place}] = m
					all = append(all, m)
				}
				m.use(t, p, declared)
			}
		}
	}
	all = append(all, collectGuards(targets)...)
	slices.SortStableFunc(all, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.within, b.within), cmp.Compare(a.declared, b.declared))
	})
	return all
}

// use records that a target has the keyword at a place.
func (m *mutant) use(t *target, p tally.Place, declared string) {
	if cmp.Or(cmp.Compare(len(p.Path), len(m.path)), cmp.Compare(p.Path, m.path), cmp.Compare(p.Within, m.within)) < 0 {
		m.path, m.within = p.Path, p.Within
	}
	m.reached = m.reached || p.Reached > 0
	if last := len(m.uses) - 1; last < 0 || m.uses[last].target != t {
		m.uses = append(m.uses, use{
			target: t, concerns: slices.Concat(t.violated[declared], t.undecided[declared]), violations: len(t.violated[declared]),
		})
	}
}

// violations returns how many inputs violate the keyword.
func (m *mutant) violations() int {
	n := m.found
	for _, u := range m.uses {
		n += u.violations
	}
	return n
}

// concerns returns how many inputs the mutant may change.
func (m *mutant) concerns() int {
	n := 0
	for _, u := range m.uses {
		n += len(u.concerns)
	}
	return n
}

// run compares the inputs of a group that the mutant may change, until one kills it.
func (m *mutant) run(ctx context.Context, group int) error {
	for i, u := range m.uses {
		if m.killer != nil || u.target.group != group || len(u.concerns) == 0 {
			continue
		}
		if err := m.compare(ctx, u); err != nil {
			return err
		}
		m.uses[i].compared = true
	}
	return nil
}

// isDecided reports whether the outcome of the mutant is known.
func (m *mutant) isDecided() bool {
	return m.killer != nil || !slices.ContainsFunc(m.uses, func(u use) bool { return len(u.concerns) > 0 && !u.compared })
}

// compare compares the inputs of one target.
func (m *mutant) compare(ctx context.Context, u use) error {
	weaker, err := m.change.apply(u.target)
	if err != nil {
		m.invalid = cmp.Or(m.invalid, err)
		return nil
	}
	by, err := u.target.compare(weaker)
	if err != nil {
		return err
	}
	for _, in := range u.concerns {
		result, err := in.check(ctx, by)
		if err != nil {
			return err
		}
		if m.change.concerns(&result) {
			m.found++
		}
		if outcomeOf(&result) != in.was {
			m.killer = in
			return nil
		}
	}
	return nil
}

// report returns the outcome of the mutant.
func (m *mutant) report() Mutant {
	keyword, text := m.change.names()
	made := Mutant{
		Path: m.path, Within: m.within, Keyword: keyword, Change: text, Declared: m.declared,
		Violations: m.violations(), Status: NotReached,
	}
	if guard, is := m.change.(weakerGuard); is {
		made.Declared, made.Line = guard.Part, guard.Where
	}
	for _, u := range m.uses {
		made.Targets = append(made.Targets, u.target.name())
	}
	switch {
	case m.killer != nil:
		made.Status, made.By = Killed, m.killer.name()+": "+m.killer.of.ID
	case m.invalid != nil:
		made.Status, made.Why = Invalid, m.invalid.Error()
	case made.Violations > 0:
		made.Status = Survived
	case m.reached:
		made.Status = NotViolated
	}
	return made
}

// sample chooses n mutants by a hash of their places, so the choice does not depend on other suites; zero:
// all.
func sample(all []*mutant, n int, seed uint64) []*mutant {
	if n <= 0 || n >= len(all) {
		return all
	}
	chosen := slices.Clone(all)
	slices.SortStableFunc(chosen, func(a, b *mutant) int { return cmp.Compare(a.hash(seed), b.hash(seed)) })
	return chosen[:n]
}

func (m *mutant) hash(seed uint64) uint64 {
	h := fnv.New64a()
	for _, part := range []string{strconv.FormatUint(seed, 10), m.path, m.within, m.declared, m.distinct} {
		h.Write([]byte(part + "\x00")) // never fails
	}
	return h.Sum64()
}
