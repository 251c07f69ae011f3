package summary

import (
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// Judged counts results by the judgment of the gate of their run.
type Judged struct {
	Gate gate.Gate
	// FailVerdicts and FailEffects count the results that fail the run. changed counts those of them
	// whose differences change a verdict, and unmet those with an unmet expectation.
	FailVerdicts map[words.Verdict]int
	FailEffects  map[words.Effect]int
	changed      int
	unmet        int
	// AllowedResults counts results with differences or unmet expectations that do not fail the run.
	AllowedResults int
}

// Mark is how much attention something needs.
type Mark int

// The marks, from the least attention to the most.
const (
	Noted Mark = iota
	Allowed
	Failing
)

// markOf returns the mark of a result.
func markOf(failOn gate.Gate, r harness.Result) Mark {
	switch {
	case failOn.Fails(r):
		return Failing
	case gate.Gate(nil).Fails(r):
		return Allowed
	}
	return Noted
}

// Add counts a result, and returns its mark.
func (j *Judged) Add(r harness.Result) Mark {
	if j.FailVerdicts == nil {
		j.FailVerdicts, j.FailEffects = map[words.Verdict]int{}, map[words.Effect]int{}
	}
	made := markOf(j.Gate, r)
	switch made {
	case Failing:
		if r.Verdict == words.Faulted || j.Gate.FailsByDifference(r) {
			j.FailVerdicts[r.Verdict]++
			j.FailEffects[r.Effect]++
		}
		if r.Verdict == words.Different && r.Effect.ChangesVerdict() && j.Gate.FailsByDifference(r) {
			j.changed++
		}
		if len(r.Unmet) > 0 && !j.Gate.AllowsUnmet() {
			j.unmet++
		}
	case Allowed:
		j.AllowedResults++
	}
	return made
}

// AllowedSentence returns what the gate allows, or "".
func (j *Judged) AllowedSentence() string {
	if j.AllowedResults == 0 {
		return ""
	}
	what := "inputs differ or do not meet their expectations"
	if j.AllowedResults == 1 {
		what = "input differs or does not meet its expectations"
	}
	return "Allowed by " + GateFlag(j.Gate) + ": " + plaintext.Number(j.AllowedResults) + " " + what + "."
}

// GateFlag returns the flag of a gate.
func GateFlag(gate gate.Gate) string { return "--fail-on " + display.Name(gate.String()) }

// NextSteps returns what to do, the most urgent first. It is empty if the run is as expected.
func (j *Judged) NextSteps(footer Footer) []string {
	var steps []string
	summary := footer.Summary
	first, second := summary.Sides.Titles()
	agreeing := Both(summary.Sides)
	different := j.FailVerdicts[words.Different] > 0
	for _, step := range []struct {
		needed bool
		text   string
	}{
		{summary.Verdicts[words.Faulted] > 0, "a fault means that there is no verdict: correct the case or the backend that " +
			"it names; give a slow backend a longer --timeout."},
		{j.FailVerdicts[words.Unstable] > 0, "a validator that returns different errors for one input (unstable) ranges over " +
			"a map or keeps state: fix that first."},
		{different && j.changed > 0,
			"make " + agreeing + " agree, or accept a reviewed difference in the exceptions file of the suite; what only " + second +
				" accepts blocks a later rollback, what only it refuses breaks existing users."},
		{different && j.changed == 0, "make " + agreeing + " report the same errors, or accept a reviewed difference in the " +
			"exceptions file of the suite; --compare verdict compares only the verdicts."},
		{j.Gate.Ratcheting() && summary.Classes[difference.Ratcheting] > 0, "ratcheting fails this run because --fail-on names " +
			"it: with " + second + ", an update may keep values that " + first + " refuses. Remove the word to accept that."},
		{j.unmet > 0, first + " does not return the errors that a case wants: correct the want of the case, or find out what changed."},
		{len(footer.Problems) > 0, "clear the problems listed above; until then this run proves less than it seems to."},
		{footer.Incomplete, "run again to the end."},
	} {
		if step.needed {
			steps = append(steps, step.text)
		}
	}
	if summary.Inputs == 0 && len(steps) == 0 && !footer.Tallied && !footer.explored() {
		steps = append(steps, "name a suite that has cases.")
	}
	return steps
}

// NothingLeft returns the last sentence of a run that needs no action. A shard still has to be merged, a
// narrowed run did not check everything, and differences that the gate allows still exist.
func (j *Judged) NothingLeft(shard string, footer Footer) (begins, says string) {
	begins, says = "Nothing is left to do:", "both validators answered every input, and no difference is unexplained."
	switch {
	case j.AllowedResults > 0:
		begins, says = "Nothing fails this run:", "both validators answered every input, and "+GateFlag(j.Gate)+" allows what differs."
	case shard != "":
		begins = "Nothing is left to do in this part:"
	case len(footer.Narrowed) > 0 || len(footer.LeftOut) > 0:
		begins = "Nothing is left to do in what was compared:"
	}
	return begins, says
}
