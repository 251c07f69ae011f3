package world

// WeakerGuard is a weaker form of a policy of a world, with one change.
type WeakerGuard struct {
	// Guards are the names of the policy with its bindings among World.Guards.
	Guards []string
	// Policy is its name, Part the part that changes, as contract.Part names it, Where its file and line,
	// and Change describes the change.
	Policy, Part, Where, Change string
	// Unmatched reports whether the policy sees fewer requests. Otherwise those change on which the part
	// acted.
	Unmatched bool
	// Policies or Mutations are those of the world with the change. The other one is nil.
	Policies  func() (Policies, error)
	Mutations func() (Mutations, error)
}

// weakening is implemented by Policies and Mutations that can be weakened.
type weakening interface{ Weaker() []*WeakerGuard }

// Weaker returns the weaker forms of the policies of the world. They are the same, by address, for each world with
// these policies.
func (w World) Weaker() []*WeakerGuard {
	var all []*WeakerGuard
	for _, of := range []any{w.Mutations, w.Policies} {
		if can, ok := of.(weakening); ok {
			all = append(all, can.Weaker()...)
		}
	}
	return all
}

// With returns the world with a weaker policy.
func (w World) With(weaker *WeakerGuard) (World, error) {
	var err error
	if weaker.Policies != nil {
		w.Policies, err = weaker.Policies()
	} else {
		w.Mutations, err = weaker.Mutations()
	}
	return w, err
}
