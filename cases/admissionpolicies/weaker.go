package admissionpolicies

import (
	"sync"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/world"
)

// validating are policies that can be weakened.
type validating struct {
	*evaluation.Set
	weaker func() []*world.WeakerGuard
}

// Weaker returns the weaker forms of all policies.
func (v validating) Weaker() []*world.WeakerGuard { return v.weaker() }

func newValidating(set *evaluation.Set) validating {
	return validating{set, sync.OnceValue(func() []*world.WeakerGuard {
		var all []*world.WeakerGuard
		for _, weaker := range set.Weaker() {
			guard := weakerGuard(weaker)
			guard.Policies = sync.OnceValues(func() (world.Policies, error) { return set.With(weaker) })
			all = append(all, guard)
		}
		return all
	})}
}

// mutating are mutating policies that can be weakened.
type mutating struct {
	*evaluation.Mutations
	weaker func() []*world.WeakerGuard
}

// Weaker returns the weaker forms of all policies.
func (m mutating) Weaker() []*world.WeakerGuard { return m.weaker() }

func newMutating(set *evaluation.Mutations) mutating {
	return mutating{set, sync.OnceValue(func() []*world.WeakerGuard {
		var all []*world.WeakerGuard
		for _, weaker := range set.Weaker() {
			guard := weakerGuard(weaker)
			guard.Mutations = sync.OnceValues(func() (world.Mutations, error) { return set.With(weaker) })
			all = append(all, guard)
		}
		return all
	})}
}

func weakerGuard(of evaluation.Weaker) *world.WeakerGuard {
	return &world.WeakerGuard{Guards: of.Guards, Policy: of.Policy, Part: of.Part, Where: of.Where, Change: of.Change,
		Unmatched: of.Unmatched}
}
