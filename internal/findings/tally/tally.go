package tally

import (
	"strings"
	"time"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Tally has the counts of a run. Those that are zero are left out of the line.
type Tally struct {
	Cases, Inputs int
	Elapsed       time.Duration
	Effects       map[words.Effect]int
	// Accepted are the changed verdicts among Effects that exceptions accept or ratcheting explains.
	Accepted int
	Verdicts map[words.Verdict]int
	Classes  map[difference.Class]int
	// ByVerdict are the equivalent inputs that were compared by the verdict alone.
	ByVerdict int
	Unmet     int
}

// Of returns the tally of a summary.
func Of(summary harness.Summary, elapsed time.Duration) Tally {
	t := Tally{
		Cases: summary.Cases, Inputs: summary.Inputs, Elapsed: elapsed, Effects: summary.Effects,
		Verdicts: summary.Verdicts, Classes: summary.Classes, Unmet: summary.Unmet,
	}
	for _, effect := range words.Effects() {
		if effect.ChangesVerdict() {
			t.Accepted += summary.Effects[effect] - summary.OpenEffects[effect]
		}
	}
	return t
}

// Line returns the counts in one line, such as "7 inputs of 7 cases in 2s: 1 admits, 1 refuses; 5 equal, 2 different
// (1 too-loose, 1 too-strict).".
func (t Tally) Line() string {
	if t.Inputs == 0 {
		return "Nothing was compared."
	}
	text := plaintext.Count(t.Inputs, "input") + " of " + plaintext.Count(t.Cases, "case")
	if t.Elapsed > 0 {
		text += " in " + plaintext.Duration(t.Elapsed)
	}
	text += ": "
	if effects := t.effects(); effects != "" {
		text += effects + "; "
	}
	return text + strings.Join(t.verdicts(), ", ") + "."
}

// effects returns how many verdicts change, or "" if none was compared.
func (t Tally) effects() string {
	var changes []string
	changed := 0
	for _, effect := range words.Effects() {
		if n := t.Effects[effect]; n > 0 && effect.ChangesVerdict() {
			changed += n
			changes = append(changes, plaintext.Number(n)+" "+string(effect))
		}
	}
	switch {
	case changed == 0 && t.Effects[words.NoEffect] == 0:
		return ""
	case changed == 0:
		return "no verdict changes"
	case t.Accepted == changed:
		changes = append(changes, "all accepted")
	case t.Accepted > 0:
		changes = append(changes, plaintext.Number(t.Accepted)+" of them accepted")
	}
	return strings.Join(changes, ", ")
}

func (t Tally) verdicts() []string {
	var found []string
	for _, verdict := range words.Verdicts() {
		n := t.Verdicts[verdict]
		if n == 0 {
			continue
		}
		text := plaintext.Number(n) + " " + string(verdict)
		switch verdict {
		case words.Faulted:
			text = plaintext.Count(n, "fault")
		case words.Different:
			text += t.classes()
		case words.Equivalent:
			if t.ByVerdict > 0 {
				text += " (" + plaintext.Number(t.ByVerdict) + " by the verdict alone, because the validator gives no reason)"
			}
		}
		found = append(found, text)
	}
	if t.Unmet > 0 {
		found = append(found, plaintext.Number(t.Unmet)+" unmet")
	}
	return found
}

// classes returns the classes of the differences, which are not those of the unstable inputs.
func (t Tally) classes() string {
	var counts []string
	for _, class := range difference.Classes() {
		if n := t.Classes[class]; n > 0 && class != difference.Unstable && !class.Explained() {
			counts = append(counts, plaintext.Number(n)+" "+string(class))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return " (" + strings.Join(counts, ", ") + ")"
}
