package reports

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// text writes a run for people. It writes a block for each case that needs attention as soon as it
// is known. At the end, where a terminal stops scrolling, it writes a row for each target and a
// summary.
type text struct {
	out     io.Writer
	options Options
	paint   painter
	width   int // of a line
	suites  int
	shard   string
	block   block
	table   table
	groups  groups
	missing missing
	// excepted counts the differences that each exception accepted.
	excepted map[string]int
	// textual counts differences to rejections whose text names no field.
	textual int
	// byVerdict counts the inputs compared by verdict only.
	byVerdict int
}

func newText(w io.Writer, options Options) Reporter {
	width := lineWidth
	if options.Width > 0 {
		width = min(max(options.Width, leastLineWidth), lineWidth)
	}
	return &text{out: w, options: options, paint: painter(options.Color), width: width, excepted: map[string]int{}}
}

func (t *text) Begin(header Header) error {
	t.suites, t.shard, t.table.gate = len(header.Suites), header.Shard, header.FailOn
	return nil
}

func (t *text) Result(r harness.Result) error {
	made := t.table.add(r)
	if r.Verdict == harness.Equivalent && countKind(r.Pairs, equivalence.Verdict) > 0 {
		t.byVerdict++
	}
	for _, pair := range r.Pairs {
		switch {
		case pair.Exception != nil:
			t.excepted[pair.Exception.ID]++
		case !pair.Explained() && equivalence.NamesNoField(pair.Native):
			t.textual++
		}
	}
	if err := t.closeBlock(r.Case); err != nil {
		return err
	}
	if t.missing.takes(r) && !t.options.Verbose {
		return nil // a line at the end counts it
	}
	t.block.add(r, t.drawBody(r), made)
	return nil
}

// closeBlock writes the block of the previous case if next is another one.
func (t *text) closeBlock(next *harness.Case) error {
	if t.block.of == next {
		return nil
	}
	drawn := shortBlock(t.drawBlock(&t.block))
	if drawn == "" && t.block.mark == failing {
		t.groups.hidden++
	}
	t.block = block{of: next}
	if drawn == "" {
		return nil
	}
	t.groups.blocks++
	return write(t.out, "text", drawn, "\n")
}

func (t *text) End(footer Footer) error {
	if err := t.closeBlock(nil); err != nil {
		return err
	}
	return write(t.out, "text",
		t.drawMissing(),
		t.drawGroups(),
		t.table.draw(t.paint, t.options.Width, t.suites > 1, t.options.Verbose),
		t.drawExcepted(),
		t.drawProblems(footer.Problems),
		t.drawSummary(footer))
}

// fewExceptions is how many exceptions fit on a screen beside the table.
const fewExceptions = 12

// drawExcepted counts what exceptions accepted: one line for each if they fit on a screen or with
// --verbose, else one line for all.
func (t *text) drawExcepted() string {
	if len(t.excepted) == 0 {
		return ""
	}
	if len(t.excepted) > fewExceptions && !t.options.Verbose {
		total := 0
		for _, n := range t.excepted {
			total += n
		}
		return fmt.Sprintf("%s accepted by %s; --verbose lists them\n\n", count(total, "difference"), count(len(t.excepted), "exception"))
	}
	shown, more := plaintext.First(slices.Sorted(maps.Keys(t.excepted)))
	var names []string
	for _, id := range shown {
		names = append(names, name(id))
	}
	width := widest(names)
	var out strings.Builder
	out.WriteString(t.paint.bold("accepted by exceptions") + "\n")
	for i, id := range shown {
		fmt.Fprintf(&out, "  %s  %s\n", pad(names[i], width), count(t.excepted[id], "difference"))
	}
	return out.String() + rest(more) + "\n"
}

func (t *text) drawProblems(problems []string) string {
	if len(problems) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(t.paint.bold("problems of this run") + "\n")
	shown, more := plaintext.First(problems)
	for _, problem := range shown {
		out.WriteString(t.paragraph("  "+t.paint.red("✗")+" ", hanging, problem))
	}
	return out.String() + rest(more) + "\n"
}

// drawSummary ends a report: what was found, and what to do next.
func (t *text) drawSummary(footer Footer) string {
	var out strings.Builder
	if footer.Incomplete {
		out.WriteString(t.paint.red("INCOMPLETE") + ": the run ended early; this counts what was finished\n")
	}
	if t.shard != "" {
		out.WriteString(t.paragraph("", 0, shardSentence(t.shard)))
	}
	if narrowed := narrowedSentence(t.shard, footer); narrowed != "" {
		out.WriteString(t.paragraph("", 0, narrowed))
	}
	if footer.Summary.Inputs > 0 {
		out.WriteString(t.paragraph("", 0, effectSentence(footer.Summary)))
	}
	out.WriteString(t.paragraph("", 0, sentence(footer, verdictOnly(t.byVerdict))))
	if allows := t.table.allowedSentence(); allows != "" {
		out.WriteString(t.paragraph("", 0, allows))
	}
	out.WriteString(t.drawLeftOut(footer.LeftOut))
	out.WriteString(t.drawPruned(footer.Summary.Pruned))
	out.WriteString(t.drawTextual())
	steps := t.table.nextSteps(footer)
	for _, step := range steps {
		out.WriteString(t.paragraph(t.paint.bold("next")+": ", 6, step))
	}
	if len(steps) == 0 {
		begins, says := t.table.nothingLeft(t.shard, footer)
		out.WriteString(t.paragraph(t.paint.green(begins)+" ", 0, says))
	}
	return out.String()
}

// shardSentence says that the report is about a part of the run.
func shardSentence(shard string) string {
	return "This is a part of the run, shard " + name(shard) + ". diffrun merge joins the reports of all shards, and says which exceptions and rules are stale."
}

// sentence counts results in words and omits verdicts that did not occur. note follows the count
// of equivalent inputs.
func sentence(footer Footer, note string) string {
	summary := footer.Summary
	if summary.Inputs == 0 {
		return "Nothing was compared."
	}
	text := count(summary.Inputs, "input") + " of " + count(summary.Cases, "case")
	if footer.Elapsed > 0 {
		text += " in " + roundedTime(footer.Elapsed)
	}
	var found []string
	for _, verdict := range harness.Verdicts() {
		n := summary.Verdicts[verdict]
		if n == 0 || verdict == harness.Inexpressible {
			continue
		}
		switch verdict {
		case harness.Faulted:
			found = append(found, count(n, "fault"))
		case harness.Different:
			found = append(found, fmt.Sprintf("%d different%s", n, classCounts(summary)))
		case harness.Unstable:
			found = append(found, fmt.Sprintf("%d unstable (%s)", n, count(summary.Classes[equivalence.Unstable], "error")))
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
	return text + unguardedSentence(summary)
}

// drawPruned reports fields of cases that are in no schema. Without it, nobody notices them in
// cases that are otherwise as expected.
func (t *text) drawPruned(pruned harness.PrunedFields) string {
	if pruned.Fields == 0 {
		return ""
	}
	are, listing := "are", "; --prune=report lists them."
	if pruned.Fields == 1 {
		are = "is"
	}
	if t.options.Pruned || t.options.Verbose {
		listing = ", as listed above."
	}
	return t.paragraph("", 0, fmt.Sprintf("%s of %s %s not in the schema and pruned before validation%s", count(pruned.Fields, "field"), count(pruned.Cases, "case"), are, listing))
}

// drawTextual explains differences of class "path" that may be none: the field of an error cannot
// be found in a text for people.
func (t *text) drawTextual() string {
	if t.textual == 0 {
		return ""
	}
	return t.paragraph("", 0, fmt.Sprintf("In %s the hand-written validator refuses with a text that names no field, which cannot be compared by its place: let it answer with status.details.causes, or write its text as field.ErrorList does (spec.size: Invalid value: 11: too big).", count(t.textual, "difference")))
}

// verdictOnly says how many inputs were compared by verdict only.
func verdictOnly(inputs int) string {
	if inputs == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d by the verdict alone, for the validator only says no)", inputs)
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

// roundedTime rounds a duration for display.
func roundedTime(elapsed time.Duration) string {
	if elapsed < time.Second {
		return elapsed.Round(time.Millisecond).String()
	}
	return elapsed.Round(10 * time.Millisecond).String()
}
