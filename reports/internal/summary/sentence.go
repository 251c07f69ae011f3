package summary

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/internal/findings/tally"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// ShardSentence returns the note that the report is about a part of the run.
func ShardSentence(shard string) string {
	return "This is a part of the run, shard " + display.Name(shard) + ". diffrun merge joins the reports of all shards, " +
		"and says which exceptions and rules are stale."
}

// RanSentence names the suites that ran, and the files of a few, each as show formats it.
func RanSentence(suites []Suite, show func(string) string) string {
	shown, more := plaintext.First(suites)
	var names []string
	for _, suite := range shown {
		name := show(suite.Name)
		if len(suites) <= fewSuites && suite.Source != "" {
			name += " (" + show(suite.Source) + ")"
		}
		names = append(names, name)
	}
	switch {
	case more > 0:
		names = append(names, plaintext.More(more))
	case len(names) == 0:
		return ""
	}
	text := "Ran "
	if len(suites) > fewSuites {
		text += plaintext.Count(len(suites), "suite") + ": "
	}
	return text + strings.Join(names, ", ") + "."
}

// fewSuites is how many suites are named with their files.
const fewSuites = 4

// Line returns the counts of a run in one line. byVerdict are the inputs compared by the verdict alone.
func Line(footer Footer, byVerdict int) string {
	if footer.Summary.Inputs == 0 && footer.explored() {
		return "No difference was found."
	}
	counts := tally.Of(footer.Summary, footer.Elapsed)
	counts.ByVerdict = byVerdict
	return counts.Line()
}

// LeftOutTexts returns a text for each kind whose cases were skipped.
func LeftOutTexts(all []LeftOut) []string {
	var texts []string
	for _, left := range all {
		texts = append(texts, plaintext.Count(left.Cases, "case")+" of "+left.Target+" in suite "+left.Suite)
	}
	return texts
}

// UnguardedSentence counts the inputs that do not test the guards of a world, with the most frequent
// error, or returns "".
func (t *Table) UnguardedSentence() string {
	n := t.refused.Refused
	if n == 0 {
		return ""
	}
	were, test := "were", "They do"
	if n == 1 {
		were, test = "was", "It does"
	}
	return fmt.Sprintf("%s of %s %s refused by Kubernetes or the definition before any guard (unguarded): %s. %s not test "+
		"webhooks, policies and mutations.",
		plaintext.Number(n), plaintext.Count(t.refused.Inputs, "input"), were, strings.TrimSuffix(t.refused.MostFrequent(), "."), test)
}

// NarrowedSentence returns what a run left out on purpose, or "".
func NarrowedSentence(footer Footer) string {
	if len(footer.Narrowed) == 0 {
		return ""
	}
	return "This run was narrowed: " + strings.Join(footer.Narrowed, "; ") + "."
}
