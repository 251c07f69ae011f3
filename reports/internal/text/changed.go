package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// listedChanges is how many causes of changed verdicts end a report.
const listedChanges = 20

// drawChanged lists the causes that change verdicts and that nothing explains, the worst first, a line each: how often,
// the field, and the first case, whose id --run takes.
func (t *text) drawChanged() string {
	changed := slices.DeleteFunc(t.groups.sorted(), func(g *group) bool { return g.open == 0 || !g.effect.ChangesVerdict() })
	if len(changed) == 0 {
		return ""
	}
	shown := changed[:min(len(changed), listedChanges)]
	times, fields := 0, 0
	for _, group := range shown {
		times = max(times, len(timesOf(group)))
		fields = max(fields, utf8.RuneCountInString(group.field))
	}
	fields = min(fields, t.width/2)
	var out strings.Builder
	effect, headings := words.Effect("none yet"), headingsOf(shown)
	for _, group := range shown {
		if group.effect != effect {
			effect = group.effect
			out.WriteString("\n" + t.paint.bold(strings.TrimSpace(headings.Title(effect))) + "\n")
		}
		first := group.first
		if len(t.suites) > 1 {
			first = group.source // other suites may have cases with this id
		}
		head := fmt.Sprintf("  %s  %-*s  ", t.paint.yellow(fmt.Sprintf("%*s", times, timesOf(group))), fields, cutEnd(group.field, fields))
		out.WriteString(head + cutBeginning(first, t.width-headWidth(head)) + "\n")
	}
	if more := len(changed) - len(shown); more > 0 {
		out.WriteString("  " + plaintext.More(more) + "; -o html=FILE has all\n")
	}
	return out.String()
}

func timesOf(g *group) string { return plaintext.Number(g.open) + "×" }

// cutEnd cuts a text to a width, at its end.
func cutEnd(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// cutBeginning cuts a text to a width, at its beginning: the end of a case's name tells it from others.
func cutBeginning(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return "…" + string(runes[len(runes)-width+1:])
	}
	return text
}
