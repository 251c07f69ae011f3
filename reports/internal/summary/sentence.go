package summary

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// ShardSentence returns the note that the report is about a part of the run.
func ShardSentence(shard string) string {
	return "This is a part of the run, shard " + display.Name(shard) + ". diffrun merge joins the reports of all shards, and says which exceptions and rules are stale."
}

// Sentence counts results in words and omits verdicts that did not occur. note follows the count
// of equivalent inputs.
func Sentence(footer Footer, note string) string {
	summary := footer.Summary
	if summary.Inputs == 0 {
		if footer.explored() {
			return "No difference was found."
		}
		return "Nothing was compared."
	}
	text := display.Count(summary.Inputs, "input") + " of " + display.Count(summary.Cases, "case")
	if footer.Elapsed > 0 {
		text += " in " + display.Duration(footer.Elapsed)
	}
	var found []string
	for _, verdict := range harness.Verdicts() {
		n := summary.Verdicts[verdict]
		if n == 0 || verdict == harness.Inexpressible {
			continue
		}
		switch verdict {
		case harness.Faulted:
			found = append(found, display.Count(n, "fault"))
		case harness.Different:
			found = append(found, fmt.Sprintf("%d different%s", n, classCounts(summary)))
		case harness.Unstable:
			found = append(found, fmt.Sprintf("%d unstable (%s)", n, display.Count(summary.Classes[equivalence.Unstable], "error")))
		case harness.Equivalent:
			found = append(found, fmt.Sprintf("%d equivalent%s", n, note))
		default:
			found = append(found, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	if summary.Unmet > 0 {
		found = append(found, fmt.Sprintf("%d unmet", summary.Unmet))
	}
	text += ": " + strings.Join(found, ", ") + "."
	if n := summary.Verdicts[harness.Inexpressible]; n > 0 {
		text += fmt.Sprintf(" Not compared: %d that their version cannot express.", n)
	}
	return text + UnguardedSentence(summary)
}

// VerdictOnly returns a note about inputs that were compared by verdict only.
func VerdictOnly(inputs int) string {
	if inputs == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d by the verdict alone, because the validator gives no reason)", inputs)
}

func classCounts(summary harness.Summary) string {
	var counts []string
	for _, class := range equivalence.Classes() {
		if n := summary.Classes[class]; n > 0 && class != equivalence.Unstable && !class.Explained() { // which are not among the different
			counts = append(counts, fmt.Sprintf("%d %s", n, class))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return " (" + strings.Join(counts, ", ") + ")"
}

// LeftOutTexts returns a text for each kind whose cases were skipped.
func LeftOutTexts(all []LeftOut) []string {
	var texts []string
	for _, left := range all {
		texts = append(texts, display.Count(left.Cases, "case")+" of "+left.Target+" in suite "+left.Suite)
	}
	return texts
}

// UnguardedSentence counts the inputs that do not test the guards of a world, or returns "".
func UnguardedSentence(summary harness.Summary) string {
	n := summary.Unguarded
	if n == 0 {
		return ""
	}
	inputs, test := "inputs were", "They do"
	if n == 1 {
		inputs, test = "input was", "It does"
	}
	return fmt.Sprintf(" %d %s refused by Kubernetes or the definition before any guard (unguarded). %s not test webhooks, policies and mutations.", n, inputs, test)
}

// NarrowedSentence returns what a run left out on purpose, or "".
func NarrowedSentence(footer Footer) string {
	if len(footer.Narrowed) == 0 {
		return ""
	}
	return "This run was narrowed: " + strings.Join(footer.Narrowed, "; ") + "."
}
