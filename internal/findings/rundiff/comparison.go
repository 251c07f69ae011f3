package rundiff

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// Comparison is what two runs have apart. Add all results of the old run, then all of the
// new one, then call Finish.
type Comparison struct {
	// New is what only the new run shows. Gone is what only the old one shows, of inputs
	// that both have. Changed is what both show of an input at one field, with one class,
	// in other words: as the new run has it.
	New, Gone, Changed causes.Groups
	// NewFaults are faults that only the new run has.
	NewFaults int
	// Worse are the inputs with an unexplained difference whose verdict changes in the new
	// run only: the effect was none, and is admits or refuses.
	Worse int
	// Both counts the inputs of both runs, OnlyOld and OnlyNew those of one.
	Both, OnlyOld, OnlyNew int

	old  map[inputKey]*finding
	seen map[inputKey]int // how often a key came up in a run
}

// inputKey tells inputs apart: a hash, so that many take little memory.
type inputKey [16]byte

// finding is what is kept of an input of the old run: nothing but its key if it shows
// nothing.
type finding struct{ result *harness.Result }

// AddOld takes a result of the old run.
func (c *Comparison) AddOld(r harness.Result) {
	if c.old == nil {
		c.old, c.seen = map[inputKey]*finding{}, map[inputKey]int{}
	}
	kept := &finding{}
	if shown := open(r); len(shown.Pairs)+len(shown.Unmet)+len(shown.Faults()) > 0 {
		kept.result = &shown
	}
	c.old[c.key(r)] = kept
}

// BeginNew says that the results of the new run follow.
func (c *Comparison) BeginNew() { c.seen = map[inputKey]int{} }

// AddNew takes a result of the new run.
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
	if before.result != nil {
		was = *before.result
	}
	if len(shown.Pairs) > 0 && shown.Effect.ChangesVerdict() && !(len(was.Pairs) > 0 && was.Effect.ChangesVerdict()) {
		c.Worse++
	}
	c.compare(was, shown)
}

// Finish takes note of the inputs that the new run does not have.
func (c *Comparison) Finish() { c.OnlyOld = len(c.old) }

// Nothing says that the runs have no input in common: the comparison proves nothing.
func (c *Comparison) Nothing() bool { return c.Both == 0 }

// Fails says that the new run shows something that is worse than the old one, or that nothing was
// compared.
func (c *Comparison) Fails() bool { return len(c.New.Sorted()) > 0 || c.Worse > 0 || c.Nothing() }

// add takes what an input shows as new.
func (c *Comparison) add(r harness.Result) {
	c.NewFaults += len(r.Faults())
	c.New.Add(r)
}

// compare tells apart what an input showed and shows.
func (c *Comparison) compare(was, is harness.Result) {
	gone, isNew, changed := was, is, is
	gone.Pairs, isNew.Pairs = unmatched(was.Pairs, is.Pairs, sameDifference)
	changed.Pairs = nil
	var before []equivalence.Pair
	before, isNew.Pairs, changed.Pairs = reworded(gone.Pairs, isNew.Pairs)
	gone.Pairs = before
	gone.Unmet, isNew.Unmet = unmatched(was.Unmet, is.Unmet, func(a, b string) bool { return a == b })
	changed.Unmet = nil
	withoutFaults(&changed)
	gone.Fault, isNew.Fault = otherFault(was.Fault, is.Fault)
	gone.Native.Fault, isNew.Native.Fault = otherFault(was.Native.Fault, is.Native.Fault)
	gone.Declarative.Fault, isNew.Declarative.Fault = otherFault(was.Declarative.Fault, is.Declarative.Fault)
	if was.Case != nil {
		c.Gone.Add(gone)
	}
	c.Changed.Add(changed)
	c.add(isNew)
}

// key gives an input its key; inputs that look alike are numbered.
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

// open gives a result with what needs attention, and without its errors.
func open(r harness.Result) harness.Result {
	shown := harness.Result{
		Suite: r.Suite, Case: r.Case, Version: r.Version, Verdict: r.Verdict, Effect: r.Effect, Unmet: r.Unmet, Fault: r.Fault,
	}
	shown.Native.Fault, shown.Declarative.Fault = r.Native.Fault, r.Declarative.Fault
	for _, pair := range r.Pairs {
		if !pair.Explained() {
			shown.Pairs = append(shown.Pairs, pair)
		}
	}
	return shown
}

func withoutFaults(r *harness.Result) {
	r.Fault, r.Native.Fault, r.Declarative.Fault = nil, nil, nil
}

// unmatched gives what each side has and the other has not, each as often.
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

// reworded finds differences of one class and field that both runs show in other words.
func reworded(gone, isNew []equivalence.Pair) (left, added, changed []equivalence.Pair) {
	alike := func(a, b equivalence.Pair) bool { return a.Class == b.Class && a.Field() == b.Field() }
	left, added = unmatched(gone, isNew, alike)
	changed, _ = unmatched(isNew, added, func(a, b equivalence.Pair) bool { return sameDifference(a, b) })
	return left, added, changed
}

// sameDifference says that two runs show the same difference. Bad values are not compared:
// the case says what they are.
func sameDifference(a, b equivalence.Pair) bool {
	return a.Class == b.Class && sameError(a.Native, b.Native) && sameError(a.Declarative, b.Declarative) && a.Frequency() == b.Frequency()
}

func sameError(a, b *field.Error) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail
}

// otherFault gives both faults, or none if they say the same.
func otherFault(was, is *harness.Fault) (gone, isNew *harness.Fault) {
	if was != nil && is != nil && causes.GeneralText(was.Error()) == causes.GeneralText(is.Error()) {
		return nil, nil
	}
	return was, is
}
