package summary

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// EffectTitle returns the heading of the groups of an effect.
func EffectTitle(sides harness.Sides, effect words.Effect) string {
	if effect == "" {
		return " not decided"
	}
	return " " + string(effect) + ": " + causetext.EffectText(sides, effect)
}

// Headings has the sides of the groups of each effect, for the headings of their parts of a report: several suites may have
// groups of one effect.
type Headings map[words.Effect]harness.Sides

// Add adds the sides of a group.
func (h Headings) Add(effect words.Effect, sides harness.Sides) {
	if known, has := h[effect]; has {
		sides = known.Joined(sides)
	}
	h[effect] = sides
}

// Title returns the heading of the groups of an effect.
func (h Headings) Title(effect words.Effect) string { return EffectTitle(h[effect], effect) }

// MarkdownTitle returns it with a link to the glossary.
func (h Headings) MarkdownTitle(effect words.Effect) string {
	if effect == "" {
		return h.Title(effect)
	}
	return " [" + string(effect) + "](" + causetext.EffectGlossary + "): " + causetext.EffectText(h[effect], effect)
}

// EffectSentence returns the first sentence of the summary: for how many inputs the verdict changes.
func EffectSentence(summary harness.Summary) string {
	stuck, admits, refuses := summary.Effects[words.Stuck], summary.Effects[words.Admits], summary.Effects[words.Refuses]
	var changes []string
	first, second := summary.Sides.Titles()
	if stuck > 0 {
		changes = append(changes, fmt.Sprintf("leaves %s stuck", plaintext.Count(stuck, "stored object")))
	}
	if admits > 0 {
		changes = append(changes, fmt.Sprintf("admits %s that %s refuses", plaintext.Count(admits, "object"), first))
	}
	if refuses > 0 {
		changes = append(changes, fmt.Sprintf("refuses %s that %s accepts", plaintext.Count(refuses, "object"), first))
	}
	text := "no verdict changes"
	if len(changes) > 0 {
		text = second + " " + sentence(changes)
	} else if summary.Effects[words.NoEffect] == 0 {
		text = "no verdict was compared"
	}
	parts := []string{text}
	all, open := 0, 0
	for _, effect := range words.Effects() {
		if effect.ChangesVerdict() {
			all, open = all+summary.Effects[effect], open+summary.OpenEffects[effect]
		}
	}
	if accepted := all - open; accepted > 0 {
		of := "all"
		if accepted < all {
			of = plaintext.Number(accepted)
		}
		by := "exceptions accept"
		switch {
		case summary.Verdicts[words.Ratcheting] > 0 && summary.Verdicts[words.Excepted] > 0:
			by = "exceptions and ratcheting explain"
		case summary.Verdicts[words.Ratcheting] > 0:
			by = "ratcheting explains"
		}
		parts = append(parts, by+" "+of+" of these changes")
	}
	if n := summary.OpenEffects[words.NoEffect]; n > 0 {
		alike := " refused by both with different messages"
		switch { // some of them may be accepted
		case summary.Classes[difference.Result] > 0:
			alike = " decided alike, with different messages or results"
		case summary.Classes[difference.Default] > 0:
			alike = " decided alike, with different messages or defaults"
		}
		parts = append(parts, isOrAre(n)+alike)
	}
	decided := 0
	for _, n := range summary.Effects {
		decided += n
	}
	if n := summary.Inputs - decided; n > 0 && decided > 0 {
		parts = append(parts, isOrAre(n)+" not decided")
	}
	return plaintext.Count(summary.Inputs, "input") + ": " + strings.Join(parts, "; ") + "."
}

// sentence joins the parts of a sentence: a, b and c.
func sentence(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Both names the two sides that should agree.
func Both(sides harness.Sides) string {
	if sides == (harness.Sides{}) {
		return "the schema and the validator"
	}
	first, second := sides.Titles()
	return first + " and " + second
}

func isOrAre(n int) string {
	if n == 1 {
		return "1 is"
	}
	return plaintext.Number(n) + " are"
}
