package causes

import (
	"cmp"
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// MaxGroups is how many groups are kept.
const MaxGroups = 2000

// What is the kind of what was found.
type What string

// All kinds.
const (
	Fault      What = "fault"
	Difference What = "difference"
	Unmet      What = "unmet"
)

// whats lists all kinds in the order in which groups are sorted: what has no verdict comes
// first, because nothing is known of it.
func whats() []What { return []What{Fault, Difference, Unmet} }

// Group is what was found and has one cause.
type Group struct {
	What What
	// Effect and Cause are those of differences.
	Effect harness.Effect
	Cause  Cause
	// ID is a short name of the group, the same in every run.
	ID string
	// Found counts the differences, faults or expectations. Inputs counts the cases in
	// one version that show them, and Cases the cases.
	Found, Inputs, Cases int
	// Targets are the targets that show them, in the order of the run.
	Targets []string
	First   Example
	// Allowed says that the gate lets none of them fail the run.
	Allowed bool

	last   *harness.Case
	number int // in the order in which the groups came up
}

// Example is what the first case of a group shows.
type Example struct {
	Case, Source, Why, Target, Subresource string
	Operation                              harness.Operation
	// Sides names the backends. Native and Declarative are the errors of a difference, of the
	// first and of the second side; one that has no such error is nil.
	Sides               harness.Sides
	Native, Declarative *Error
	// Frequency says how often each side reports its error if that is not once.
	Frequency string
	// Text is a fault, or an expectation that is not met. Of says what a fault is of, as
	// in "native backend".
	Text, Of string
}

// Groups collects groups. The zero value has none.
type Groups struct {
	// Gate says what is a difference, and which of them do not fail the run.
	Gate harness.Gate

	known map[string]*Group
	// More counts what was found and belongs to none of the groups, because there are too
	// many.
	More int
}

// Add adds what nothing explains in a result, and gives the group of each: of its faults (that of
// the case, of the native and of the declarative backend), then of its differences, then of the
// expectations that are not met. What belongs to no group has nil. Add the results of one case one
// after the other.
func (g *Groups) Add(r harness.Result) []*Group {
	var found []*Group
	add := func(group *Group, allowed bool) {
		if group != nil && !allowed {
			group.Allowed = false
		}
		found = append(found, group)
	}
	for _, fault := range r.Faults() {
		add(g.ofText(r, Fault, fault.Of, fault.Error()), false)
	}
	for _, pair := range r.Pairs {
		if g.Gate.Differs(pair) {
			add(g.ofPair(r, pair), g.Gate.Allows(r, pair))
		}
	}
	for _, text := range r.Unmet {
		add(g.ofText(r, Unmet, "", text), g.Gate.AllowsUnmet())
	}
	for i, group := range found {
		if group == nil {
			g.More++
			continue
		}
		group.count(r, !slices.Contains(found[:i], group))
	}
	return found
}

// ofPair gives the group of a difference.
func (g *Groups) ofPair(r harness.Result, pair equivalence.Pair) *Group {
	cause := CauseOf(equivalence.Subject{GroupVersionKind: r.Version, Subresource: r.Case.Subresource}, pair)
	effect := r.EffectOf(pair)
	return g.group(r, cause.Signature(string(effect), groupOf(&r)), func(made *Group) {
		made.What, made.Effect, made.Cause = Difference, effect, cause
		made.First.Native, made.First.Declarative = Errors(pair)
		made.First.Frequency = pair.Frequency()
	})
}

// ofText gives the group of a fault, or of an expectation that is not met.
func (g *Groups) ofText(r harness.Result, what What, of, text string) *Group {
	alike := Cause{Native: CauseError{Detail: GeneralText(text)}}
	return g.group(r, alike.Signature(string(what), of), func(made *Group) {
		made.What, made.First.Text, made.First.Of = what, plaintext.Line(text), of
	})
}

// group gives the group with an id, and begins it if there is room; nil: there is none.
func (g *Groups) group(r harness.Result, id string, begin func(*Group)) *Group {
	if g.known == nil {
		g.known = map[string]*Group{}
	}
	if known := g.known[id]; known != nil {
		return known
	}
	if len(g.known) == MaxGroups {
		return nil
	}
	made := &Group{ID: id, Allowed: true, First: newExample(r), number: len(g.known)}
	begin(made)
	g.known[id] = made
	return made
}

// count counts one more in a result, which may be the first in it.
func (g *Group) count(r harness.Result, firstOfInput bool) {
	g.Found++
	if firstOfInput {
		g.Inputs++
	}
	if g.last != r.Case {
		g.last = r.Case
		g.Cases++
	}
	if target := targetName(r); target != "" && !slices.Contains(g.Targets, target) && len(g.Targets) < plaintext.MaxNames {
		g.Targets = append(g.Targets, target)
	}
}

// order puts what the gate allows last.
func order(allowed bool) int {
	if allowed {
		return 1
	}
	return 0
}

// Sorted gives the groups that fail the run before those that the gate allows, and of each those by
// kind and by effect, those that were found most often first, and else in the order in which they
// came up.
func (g *Groups) Sorted() []*Group {
	all := make([]*Group, 0, len(g.known))
	for _, group := range g.known {
		all = append(all, group)
	}
	slices.SortFunc(all, func(a, b *Group) int {
		return cmp.Or(
			cmp.Compare(order(a.Allowed), order(b.Allowed)),
			cmp.Compare(slices.Index(whats(), a.What), slices.Index(whats(), b.What)),
			cmp.Compare(EffectOrder(a.Effect), EffectOrder(b.Effect)),
			cmp.Compare(b.Found, a.Found),
			cmp.Compare(a.number, b.number))
	})
	return all
}

// EffectOrder sorts effects: what the user of the API notices first, what was not decided
// last.
func EffectOrder(effect harness.Effect) int {
	if at := slices.Index(harness.Effects(), effect); at >= 0 {
		return at
	}
	return len(harness.Effects())
}

func newExample(r harness.Result) Example {
	return Example{
		Case: plaintext.Cut(r.Case.ID, plaintext.MaxLine), Source: plaintext.Cut(r.Case.Source, plaintext.MaxLine),
		Why: plaintext.Cut(r.Case.Why, plaintext.MaxLine), Target: targetName(r),
		Subresource: plaintext.Cut(r.Case.Subresource, plaintext.MaxLine), Operation: r.Case.Operation(), Sides: r.Sides,
	}
}

// targetName is empty for a case that names no target of its suite.
func targetName(r harness.Result) string {
	if r.Version.Empty() {
		return ""
	}
	return plaintext.Cut(apiname.Target(r.Version), plaintext.MaxLine)
}
