package world

import "github.com/diffrun/diffrun/harness/contract"

// weakening is implemented by Policies and Mutations that can be weakened.
type weakening interface {
	Weaker() []*contract.WeakerGuard
}

// Weaker returns the weaker forms of the policies of the world. They are the same, by address, for each world with
// these policies.
func (w World) Weaker() []*contract.WeakerGuard {
	var all []*contract.WeakerGuard
	for _, of := range []any{w.Mutations, w.Policies} {
		if can, ok := of.(weakening); ok {
			all = append(all, can.Weaker()...)
		}
	}
	return all
}

// With returns the world with a weaker policy.
func (w World) With(weaker *contract.WeakerGuard) (World, error) {
	changed, err := weaker.Changed()
	switch changed := changed.(type) {
	case Mutations:
		w.Mutations = changed
	case Policies:
		w.Policies = changed
	}
	return w, err
}
