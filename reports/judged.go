package reports

import (
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// judged counts results by what the gate of their run says of them.
type judged struct {
	gate harness.Gate
	// verdicts and effects count the results that fail the run, changed those of them whose
	// differences change a verdict, and unmet those with an expectation that is not met.
	verdicts map[harness.Verdict]int
	effects  map[harness.Effect]int
	changed  int
	unmet    int
	// allowed counts results with differences or unmet expectations that do not fail the run.
	allowed int
}

// mark is how much attention something needs.
type mark int

const (
	noted mark = iota
	allowed
	failing
)

// markOf returns the mark of a result.
func markOf(gate harness.Gate, r harness.Result) mark {
	switch {
	case gate.Fails(r):
		return failing
	case harness.Gate(nil).Fails(r):
		return allowed
	}
	return noted
}

// add counts a result, and returns its mark.
func (j *judged) add(r harness.Result) mark {
	if j.verdicts == nil {
		j.verdicts, j.effects = map[harness.Verdict]int{}, map[harness.Effect]int{}
	}
	made := markOf(j.gate, r)
	switch made {
	case failing:
		if r.Verdict == harness.Faulted || j.gate.FailsByDifference(r) {
			j.verdicts[r.Verdict]++
			j.effects[r.Effect]++
		}
		if r.Verdict == harness.Different && r.Effect.ChangesVerdict() && j.gate.FailsByDifference(r) {
			j.changed++
		}
		if len(r.Unmet) > 0 && !j.gate.AllowsUnmet() {
			j.unmet++
		}
	case allowed:
		j.allowed++
	}
	return made
}

// allowedSentence says what the gate allows, or "".
func (j *judged) allowedSentence() string {
	if j.allowed == 0 {
		return ""
	}
	what := "inputs differ, or are not as their case wants"
	if j.allowed == 1 {
		what = "input differs, or is not as its case wants"
	}
	return "Allowed by " + gateFlag(j.gate) + ": " + grouped(j.allowed) + " " + what + "."
}

// gateFlag returns the flag of a gate.
func gateFlag(gate harness.Gate) string { return "--fail-on " + name(gate.String()) }

// nextSteps returns what to do, the most urgent first. It is empty if the run is as expected.
func (j *judged) nextSteps(footer Footer) []string {
	var steps []string
	summary := footer.Summary
	_, second := summary.Sides.Titles()
	agreeing := both(summary.Sides)
	different := j.verdicts[harness.Different] > 0
	for _, step := range []struct {
		needed bool
		text   string
	}{
		{summary.Verdicts[harness.Faulted] > 0, "a fault means that there is no verdict: correct the case or the backend that it names; give a slow backend a longer --timeout."},
		{j.verdicts[harness.Unstable] > 0, "a validator that answers otherwise when it is asked again (unstable) ranges over a map or keeps state: mend that first."},
		{different && j.changed > 0, "make " + agreeing + " agree, or accept a reviewed difference in the exceptions file of the suite; what only " + second + " accepts blocks a later rollback, what it alone refuses breaks what runs today."},
		{different && j.changed == 0, "make " + agreeing + " say the same, or accept a reviewed difference in the exceptions file of the suite; --compare verdict compares only what is accepted and refused."},
		{j.gate.Ratcheting() && summary.Classes[equivalence.Ratcheting] > 0, "ratcheting fails this run because --fail-on names it: by the schema, an update keeps values that the native validator refuses. Leave the word out to accept that."},
		{j.unmet > 0, "the native validator does not give what a case wants: correct the want of the case, or find out what changed in the validator."},
		{len(footer.Problems) > 0, "clear the problems listed above; until then this run proves less than it seems to."},
		{footer.Incomplete, "run again to the end."},
	} {
		if step.needed {
			steps = append(steps, step.text)
		}
	}
	if summary.Inputs == 0 && len(steps) == 0 && footer.Tally == nil {
		steps = append(steps, "name a suite that has cases.")
	}
	return steps
}

// nothingLeft returns the last sentence of a run that needs nothing. A part still has to be joined,
// a narrowed run did not look at everything, and what the gate allows is still there.
func (j *judged) nothingLeft(shard string, footer Footer) (begins, says string) {
	begins, says = "Nothing is left to do:", "both validators answered every input, and no difference is unexplained."
	switch {
	case j.allowed > 0:
		begins, says = "Nothing fails this run:", "both validators answered every input, and "+gateFlag(j.gate)+" allows what differs."
	case shard != "":
		begins = "Nothing is left to do in this part:"
	case footer.Narrowed() || len(footer.LeftOut) > 0:
		begins = "Nothing is left to do in what was compared:"
	}
	return begins, says
}
