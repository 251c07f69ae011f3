package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Summary returns a few lines about the findings of all soaks in the folder.
func (s State) Summary() []string {
	lines := []string{s.counts()}
	seen := maps.Clone(s.Findings)
	maps.DeleteFunc(seen, func(_ string, finding FindingSeen) bool { return s.shared && finding.Count == 0 })
	signatures := slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return strings.Compare(s.Findings[a].Text+a, s.Findings[b].Text+b)
	})
	for i, signature := range signatures {
		if i == shown {
			lines = append(lines, fmt.Sprintf("  … and %d more", len(signatures)-shown))
			break
		}
		lines = append(lines, fmt.Sprintf("  %6d× %s [%s]", s.Findings[signature].Count, s.Findings[signature].Text, signature))
	}
	if s.More > 0 {
		lines = append(lines, fmt.Sprintf("  %d findings beyond the first %d signatures are not written", s.More, maxFindings))
	}
	if s.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("  %d findings were not kept: too many waited for the bucket", s.Dropped))
	}
	return lines
}

// shown limits the findings in the summary.
const shown = 20

func (s State) counts() string {
	var counts []string
	for _, verdict := range harness.Verdicts() {
		if n := s.Verdicts[string(verdict)]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	text := fmt.Sprintf("%s of %s in %s", plaintext.Count(s.Inputs, "input"), plaintext.Count(s.Cases, "case"), time.Duration(s.Elapsed*float64(time.Second)).Round(time.Second))
	if s.Passes > 0 {
		text += fmt.Sprintf(", %d passes", s.Passes)
	}
	if len(counts) > 0 {
		text += ": " + strings.Join(counts, ", ")
	}
	return text
}
