package causes

import (
	"cmp"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// MaxGroups limits the number of groups.
const MaxGroups = 2000

// FindingKind is the kind of a finding.
type FindingKind string

// All kinds.
const (
	Fault      FindingKind = "fault"
	Difference FindingKind = "difference"
	Unmet      FindingKind = "unmet"
)

// kinds lists all kinds in the order of groups. Faults come first, because they have no verdict.
func kinds() []FindingKind { return []FindingKind{Fault, Difference, Unmet} }

// Group counts the findings with one cause.
type Group struct {
	Kind FindingKind
	// Effect and Cause are set for differences.
	Effect words.Effect
	Cause  Cause
	// ID is a short name of the group, the same in every run.
	ID string
	// Found counts the findings, Inputs the inputs and Cases the cases that have them.
	Found, Inputs, Cases int
	// Targets are the targets that have them, in the order of the run.
	Targets []string
	First   Example
	// Allowed is true if the gate lets none of them fail the run.
	Allowed bool

	last   *harness.Case
	number int // in the order of the first findings
}

// Example is the first finding of a group.
type Example struct {
	Case, Source, Why, Target, Subresource string
	Operation                              admissionv1.Operation
	// Sides names the backends. Native and Declarative are the errors of a difference on the first and
	// the second side, or nil.
	Sides               harness.Sides
	Native, Declarative *Error
	// Declared is the file and line where the schema declares the error of a difference, if it is known.
	Declared string
	// Frequency is how often each side reports its error; empty if both do once.
	Frequency string
	// Text is the text of a fault or an unmet expectation. Of is where a fault occurred, such as "the webhook".
	Text, Of string
}

// Groups collects groups. The zero value has none.
type Groups struct {
	// Gate decides what is a difference, and which differences fail the run.
	Gate gate.Gate

	known map[string]*Group
	// More counts findings without a group, because there are too many groups.
	More int
}

// Add adds the findings of a result and returns the group of each, or nil if there are too many groups.
// The order is: faults (of the case, of the native and of the declarative backend), unexplained
// differences, unmet expectations. Results of one case must be consecutive.
func (g *Groups) Add(r harness.Result) []*Group {
	var found []*Group
	add := func(group *Group, allowed bool) {
		if group != nil && !allowed {
			group.Allowed = false
		}
		found = append(found, group)
	}
	for of, fault := range r.Faults() {
		add(g.ofText(r, Fault, of, fault.Error()), false)
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

// ofPair returns the group of a difference.
func (g *Groups) ofPair(r harness.Result, pair equivalence.Pair) *Group {
	cause := CauseOf(&r, pair)
	effect := r.EffectOf(pair)
	return g.group(r, cause.Signature(string(effect), groupOf(&r)), func(made *Group) {
		made.Kind, made.Effect, made.Cause = Difference, effect, cause
		made.First.Native, made.First.Declarative = Errors(pair)
		made.First.Frequency = pair.FrequencyOf(r.Sides.Labels())
		if len(pair.Declared) > 0 {
			made.First.Declared = plaintext.Cut(pair.Declared[0].Position, plaintext.MaxLine)
		}
	})
}

// ofText returns the group of a fault or of an unmet expectation.
func (g *Groups) ofText(r harness.Result, kind FindingKind, of, text string) *Group {
	alike := Cause{Native: CauseError{Detail: SharedMessage(&r, text)}}
	return g.group(r, alike.Signature(string(kind), of), func(made *Group) {
		made.Kind, made.First.Text, made.First.Of = kind, plaintext.Line(text), r.Sides.Source(of)
	})
}

// group returns the group with an id, or a new one. It returns nil if there are too many.
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

// count counts a finding of a result.
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

// rank returns 1 for allowed groups, which come last.
func (g *Group) rank() int {
	if g.Allowed {
		return 1
	}
	return 0
}

// Sorted returns the groups that fail the run, and then those that the gate allows. Both are sorted by
// kind, effect, number of findings, and first finding.
func (g *Groups) Sorted() []*Group {
	all := make([]*Group, 0, len(g.known))
	for _, group := range g.known {
		all = append(all, group)
	}
	slices.SortFunc(all, func(a, b *Group) int {
		return cmp.Or(
			cmp.Compare(a.rank(), b.rank()),
			cmp.Compare(slices.Index(kinds(), a.Kind), slices.Index(kinds(), b.Kind)),
			cmp.Compare(EffectOrder(a.Effect), EffectOrder(b.Effect)),
			cmp.Compare(b.Found, a.Found),
			cmp.Compare(a.number, b.number))
	})
	return all
}

// EffectOrder returns the position of an effect: effects that users of the API notice come first,
// undecided ones last.
func EffectOrder(effect words.Effect) int {
	if at := slices.Index(words.Effects(), effect); at >= 0 {
		return at
	}
	return len(words.Effects())
}

func newExample(r harness.Result) Example {
	return Example{
		Case: plaintext.Cut(r.Case.ID, plaintext.MaxLine), Source: plaintext.Cut(r.Case.Source, plaintext.MaxLine),
		Why: plaintext.Cut(r.Case.Why, plaintext.MaxLine), Target: targetName(r),
		Subresource: plaintext.Cut(r.Case.Subresource, plaintext.MaxLine), Operation: r.Case.Operation(), Sides: r.Sides,
	}
}

// targetName returns the target of a result, or "" if its suite does not have it.
func targetName(r harness.Result) string {
	if r.Version.Empty() {
		return ""
	}
	return plaintext.Cut(apiname.Target(r.Version), plaintext.MaxLine)
}
