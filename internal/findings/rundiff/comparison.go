package rundiff

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/causetext"
)

// Comparison is the difference between two runs. Call AddOld for all results of the old run, BeginNew,
// AddNew for all results of the new run, and then Finish with what both runs say about themselves.
type Comparison struct {
	// New are findings that only the new run has. Gone are findings that only the old run has, of inputs
	// that both have. Changed are findings of the new run whose message differs from that of the old
	// run, although input, class and field are equal.
	New, Gone, Changed causes.Groups
	// NewFaults counts faults that only the new run has.
	NewFaults int
	// NewProblems are the problems of the new run as a whole that the old run does not have, such as a
	// stale exception.
	NewProblems []string
	// Incomplete is true if the new run ended early.
	Incomplete bool
	// Worse counts the inputs with an unexplained difference whose effect was none, and is admits or
	// refuses in the new run.
	Worse int
	// Both counts the inputs of both runs, OnlyOld and OnlyNew those of one.
	Both, OnlyOld, OnlyNew int

	old  map[inputKey]*harness.Result // nil: the result needs no attention
	seen map[inputKey]int             // how often a key occurred in a run
}

// inputKey identifies an input. It is a hash, so that many keys take little memory.
type inputKey [16]byte

// AddOld adds a result of the old run.
func (c *Comparison) AddOld(r harness.Result) {
	if c.old == nil {
		c.old, c.seen = map[inputKey]*harness.Result{}, map[inputKey]int{}
	}
	var kept *harness.Result
	if shown := open(r); len(shown.Pairs)+len(shown.Unmet) > 0 || shown.Verdict == words.Faulted {
		kept = &shown
	}
	c.old[c.key(r)] = kept
}

// BeginNew ends the old run. The results of the new run follow.
func (c *Comparison) BeginNew() { c.seen = map[inputKey]int{} }

// AddNew adds a result of the new run.
func (c *Comparison) AddNew(r harness.Result) {
	shown := open(r)
	key := c.key(r)
	before, known := c.old[key]
	if !known {
		c.OnlyNew++
		c.add(shown)
		return
	}
	delete(c.old, key)
	c.Both++
	was := harness.Result{}
	if before != nil {
		was = *before
	}
	if len(shown.Pairs) > 0 && shown.Effect.ChangesVerdict() && !(len(was.Pairs) > 0 && was.Effect.ChangesVerdict()) {
		c.Worse++
	}
	c.compare(was, shown)
}

// Finish counts the inputs that the new run does not have, and compares the problems of both runs.
func (c *Comparison) Finish(oldProblems, newProblems []string, incomplete bool) {
	c.OnlyOld, c.Incomplete = len(c.old), incomplete
	_, c.NewProblems = unmatched(oldProblems, newProblems, sameProblem)
}

// sameProblem reports whether two runs have the same problem. The lines of its file may have moved.
func sameProblem(a, b string) bool {
	fileA, _, textA := causetext.ProblemPlace(a)
	fileB, _, textB := causetext.ProblemPlace(b)
	return fileA == fileB && textA == textB
}

// Nothing reports whether the runs have no input in common, so that the comparison proves nothing.
func (c *Comparison) Nothing() bool { return c.Both == 0 }

// Fails reports whether the new run is worse than the old one, is incomplete, or nothing was compared.
func (c *Comparison) Fails() bool {
	return len(c.New.Sorted()) > 0 || c.Worse > 0 || len(c.NewProblems) > 0 || c.Incomplete || c.Nothing()
}

// add adds new findings of an input.
func (c *Comparison) add(r harness.Result) {
	for range r.Faults() {
		c.NewFaults++
	}
	c.New.Add(r)
}

// compare compares the findings of an input in both runs.
func (c *Comparison) compare(was, is harness.Result) {
	gone, isNew, changed := was, is, is
	gone.Pairs, isNew.Pairs = unmatched(was.Pairs, is.Pairs, sameDifference)
	gone.Pairs, isNew.Pairs, changed.Pairs = reworded(gone.Pairs, isNew.Pairs)
	gone.Unmet, isNew.Unmet = unmatched(was.Unmet, is.Unmet, func(a, b string) bool { return a == b })
	changed.Unmet, changed.Fault, changed.Native.Fault, changed.Declarative.Fault = nil, nil, nil, nil
	gone.Fault, isNew.Fault = otherFault(was.Fault, is.Fault)
	gone.Native.Fault, isNew.Native.Fault = otherFault(was.Native.Fault, is.Native.Fault)
	gone.Declarative.Fault, isNew.Declarative.Fault = otherFault(was.Declarative.Fault, is.Declarative.Fault)
	if was.Case != nil {
		c.Gone.Add(gone)
	}
	c.Changed.Add(changed)
	c.add(isNew)
}

// key returns the key of an input. It numbers inputs with the same names.
func (c *Comparison) key(r harness.Result) inputKey {
	text := strings.Join([]string{r.Suite, r.Case.ID, r.Version.String(), string(r.Case.Operation()), r.Case.Subresource}, "\x00")
	key := shortened(text)
	c.seen[key]++
	if n := c.seen[key]; n > 1 {
		return shortened(fmt.Sprintf("%s\x00%d", text, n))
	}
	return key
}

func shortened(text string) inputKey {
	sum := sha256.Sum256([]byte(text))
	return inputKey(sum[:16])
}

// open returns the findings of a result that need attention.
func open(r harness.Result) harness.Result {
	shown := harness.Result{
		Suite: r.Suite, Sides: r.Sides, Case: r.Case, Version: r.Version, Verdict: r.Verdict, Effect: r.Effect, Unmet: r.Unmet,
		Fault: r.Fault,
	}
	shown.Native.Fault, shown.Declarative.Fault = r.Native.Fault, r.Declarative.Fault
	for _, pair := range r.Pairs {
		if !pair.Explained() {
			shown.Pairs = append(shown.Pairs, pair)
		}
	}
	return shown
}

// unmatched returns the items of each list without an equal item in the other list. Each item matches
// one other item.
func unmatched[T any](was, is []T, same func(a, b T) bool) (gone, isNew []T) {
	gone = slices.Clone(was)
	for _, one := range is {
		if at := slices.IndexFunc(gone, func(other T) bool { return same(other, one) }); at >= 0 {
			gone = slices.Delete(gone, at, at+1)
			continue
		}
		isNew = append(isNew, one)
	}
	return gone, isNew
}

// reworded separates differences with equal class and field, which both runs show with different
// messages.
func reworded(gone, isNew []equivalence.Pair) (left, added, changed []equivalence.Pair) {
	alike := func(a, b equivalence.Pair) bool { return a.Class == b.Class && a.Field() == b.Field() }
	left, added = unmatched(gone, isNew, alike)
	changed, _ = unmatched(isNew, added, sameDifference)
	return left, added, changed
}

// sameDifference reports whether two runs show the same difference. It ignores bad values, which are
// part of the case.
func sameDifference(a, b equivalence.Pair) bool {
	return a.Class == b.Class && sameError(a.Native, b.Native) && sameError(a.Declarative, b.Declarative) && a.Frequency() == b.Frequency()
}

func sameError(a, b *field.Error) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail
}

// otherFault returns both faults, or none if their general texts are equal.
func otherFault(was, is *contract.Fault) (gone, isNew *contract.Fault) {
	if was != nil && is != nil && causes.SharedText(was.Error()) == causes.SharedText(is.Error()) {
		return nil, nil
	}
	return was, is
}
