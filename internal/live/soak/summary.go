package soak

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/tally"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Summary returns a few lines about all soaks in the folder: the counts, and the findings, the worst first.
func (s State) Summary() []string {
	lines := []string{s.counts()}
	seen := maps.Clone(s.Findings)
	maps.DeleteFunc(seen, func(_ string, finding FindingSeen) bool { return s.shared && finding.Count == 0 })
	worst := func(signature string) int { return causes.EffectOrder(seen[signature].effect()) }
	signatures := slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(cmp.Compare(worst(a), worst(b)), cmp.Compare(seen[b].Count, seen[a].Count),
			strings.Compare(seen[a].Text+a, seen[b].Text+b))
	})
	for i, signature := range signatures {
		if i == shown {
			lines = append(lines, "  "+plaintext.More(len(signatures)-shown))
			break
		}
		finding := seen[signature]
		text := finding.Text
		if finding.Message != "" {
			text += ": " + finding.Message
		}
		lines = append(lines, fmt.Sprintf("  %s× %s [%s]", plaintext.Number(finding.Count), text, signature))
	}
	if s.More > 0 {
		lines = append(lines, fmt.Sprintf("  %s beyond the first %d signatures are not written", plaintext.Count(s.More, "finding"),
			maxFindings))
	}
	if s.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("  %s not kept: too many waited for the bucket", plaintext.Count(s.Dropped, "finding")))
	}
	return lines
}

// shown limits the findings in the summary.
const shown = 20

func (s State) counts() string {
	counts := tally.Tally{
		Cases: s.Cases, Inputs: s.Inputs, Elapsed: time.Duration(s.Elapsed * float64(time.Second)),
		Effects: map[words.Effect]int{}, Verdicts: map[words.Verdict]int{},
	}
	for effect, n := range s.Effects {
		counts.Effects[words.Effect(effect)] = n
	}
	for verdict, n := range s.Verdicts {
		counts.Verdicts[words.Verdict(verdict)] = n
	}
	line := counts.Line()
	if s.Passes > 0 {
		line += " The cases were run through " + plaintext.Count(s.Passes, "time") + "."
	}
	return line
}
