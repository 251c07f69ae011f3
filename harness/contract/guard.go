package contract

import "github.com/diffrun/diffrun/harness/words"

// Guard is an admission step around a definition: a webhook, a policy with its binding, or a
// mutation.
type Guard struct {
	// Name is unique among the guards of its side.
	Name string
	// Where is its file and line, as in "suite.yaml:3"; empty: unknown.
	Where string
	// Purpose is the purpose of the guard.
	Purpose words.Purpose
	// Parts are the expressions of a policy that decide each by itself: match conditions, validations
	// and mutations. Their names are places in the policy, such as "validations[1]".
	Parts []Part
}

// Part is an expression of a policy.
type Part struct {
	// Name is its place in the policy.
	Name string
	// Where is its file and line.
	Where string
	// Text is the expression, on one line.
	Text string
}

// Asked records that a guard was asked about an input.
type Asked struct {
	// Guard is its name.
	Guard string
	// Acted reports whether it found fault with the object, or changed it.
	Acted bool
	// Refused reports whether a guard whose purpose is ToChange refused the input.
	Refused bool
	// Excluded reports whether its match conditions excluded the input, so that it did not decide.
	Excluded bool
	// Parts are the parts of the guard that were evaluated, by their names. A match condition acted if
	// it excluded the input.
	Parts []Asked
}

// WeakerGuard is a weaker form of a policy, with one change: it denies, changes or excludes less, or sees fewer requests.
type WeakerGuard struct {
	// Guards are the names of the policy with its bindings.
	Guards []string
	// Policy is the name of the policy for people, Part the part that changes, as Part.Name, and Where its file and
	// line.
	Policy, Part, Where string
	// Change describes the change: "validations[0] object.a < 1 → object.a <= 1".
	Change string
	// Unmatched reports whether the policy sees fewer requests: they are concerned if the policy acted on
	// them. Otherwise requests are concerned on which the part acted.
	Unmatched bool
	// Changed returns all policies with the change, as world.Policies or world.Mutations.
	Changed func() (any, error)
}
