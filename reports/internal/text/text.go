package text

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// Options control how much is written, and for which terminal.
type Options struct {
	// Color allows ANSI colours.
	Color bool
	// Width is the number of columns of the terminal; 0: there is none.
	Width int
	// Verbose also lists what is accepted or was shown before, and Pruned the pruned fields of cases
	// that have nothing else to report.
	Verbose, Pruned bool
}

// text writes a run for people. It writes a block for each case that needs attention as soon as it
// is known. At the end, where a terminal stops scrolling, it writes a row for each target and a
// summary.
type text struct {
	out     io.Writer
	options Options
	paint   painter
	width   int // of a line
	suites  []summary.Suite
	shard   string
	block   block
	table   summary.Table
	groups  groups
	missing missing
	// textual counts differences to rejections whose text names no field.
	textual int
}

// New returns a reporter that writes to w.
func New(w io.Writer, options Options) summary.Reporter {
	width := lineWidth
	if options.Width > 0 {
		width = min(max(options.Width, leastLineWidth), lineWidth)
	}
	return &text{out: w, options: options, paint: painter(options.Color), width: width}
}

func (t *text) Begin(header summary.Header) error {
	t.suites, t.shard, t.table.Gate = header.Suites, header.Shard, header.Gate
	return nil
}

func (t *text) Result(r harness.Result) error {
	mark := t.table.Add(r)
	for _, pair := range r.Pairs {
		if !pair.Explained() && fielderror.NamesNoField(pair.Native) {
			t.textual++
		}
	}
	if err := t.closeBlock(r.Case); err != nil {
		return err
	}
	if t.missing.takes(r) && !t.options.Verbose {
		return nil // a line at the end counts it
	}
	t.block.add(r, t.drawBody(r), mark)
	return nil
}

// closeBlock writes the block of the previous case if next is a different one.
func (t *text) closeBlock(next *harness.Case) error {
	if t.block.of == next {
		return nil
	}
	drawn := shortBlock(t.drawBlock(&t.block))
	if drawn == "" && t.block.mark == summary.Failing {
		t.groups.hidden++
	}
	t.block = block{of: next}
	if drawn == "" {
		return nil
	}
	t.groups.blocks++
	return t.write(drawn, "\n")
}

func (t *text) End(footer summary.Footer) error {
	if err := t.closeBlock(nil); err != nil {
		return err
	}
	return t.write(
		t.drawMissing(),
		t.drawGroups(),
		t.drawTable(),
		t.drawExcepted(),
		t.drawEnd(footer))
}

// write writes parts in one call, so a progress bar in the same terminal cannot separate them.
func (t *text) write(parts ...string) error {
	if _, err := io.WriteString(t.out, strings.Join(parts, "")); err != nil {
		return fmt.Errorf("writing the text report: %w", err)
	}
	return nil
}

// fewExceptions is how many exceptions fit on a screen beside the table.
const fewExceptions = 12

// drawExcepted counts what exceptions accepted: one line for each if they fit on a screen or with
// --verbose, else one line for all.
func (t *text) drawExcepted() string {
	if len(t.table.Excepted) == 0 {
		return ""
	}
	if len(t.table.Excepted) > fewExceptions && !t.options.Verbose {
		return fmt.Sprintf("%s accepted by %s; --verbose lists them\n\n", plaintext.Count(t.table.AllExcepted(), "difference"),
			plaintext.Count(len(t.table.Excepted), "exception"))
	}
	shown, more := plaintext.First(slices.Sorted(maps.Keys(t.table.Excepted)))
	var names []string
	for _, id := range shown {
		names = append(names, display.Name(id))
	}
	width := display.Widest(names)
	var out strings.Builder
	out.WriteString(t.paint.bold("accepted by exceptions") + "\n")
	for i, id := range shown {
		fmt.Fprintf(&out, "  %s  %s\n", display.Pad(names[i], width), plaintext.Count(t.table.Excepted[id], "difference"))
	}
	return out.String() + rest(more) + "\n"
}

// drawEnd draws the last lines. They fit narrow terminals and the logs of CI systems.
func (t *text) drawEnd(footer summary.Footer) string {
	problems := t.drawProblems(footer.Problems)
	t.width = min(t.width, endWidth)
	return problems + t.drawSummary(footer) + t.drawChanged() + t.drawWords(footer.Summary)
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
func (t *text) drawSummary(footer summary.Footer) string {
	var out strings.Builder
	if footer.Incomplete {
		out.WriteString(t.paint.red("INCOMPLETE") + ": the run ended early; only finished inputs are counted\n")
	}
	if unguarded := t.table.UnguardedSentence(); unguarded != "" {
		out.WriteString(t.paragraph("", 0, unguarded))
	}
	if t.shard != "" {
		out.WriteString(t.paragraph("", 0, summary.ShardSentence(t.shard)))
	}
	if narrowed := summary.NarrowedSentence(footer); narrowed != "" {
		out.WriteString(t.paragraph("", 0, narrowed))
	}
	if ran := summary.RanSentence(t.suites, display.Name); ran != "" {
		out.WriteString(t.paragraph("", hanging, ran))
	}
	out.WriteString(t.paragraph("", 0, summary.Line(footer, t.table.ByVerdict)))
	if allows := t.table.AllowedSentence(); allows != "" {
		out.WriteString(t.paragraph("", 0, allows))
	}
	for _, note := range footer.Notes {
		out.WriteString(t.paragraph("note: ", hanging, note))
	}
	out.WriteString(t.drawLeftOut(footer.LeftOut))
	out.WriteString(t.drawPruned(footer.Summary))
	out.WriteString(t.drawTextual(footer.Summary.Sides))
	steps := t.table.NextSteps(footer)
	for _, step := range steps {
		out.WriteString(t.paragraph(t.paint.bold("next")+": ", 6, step))
	}
	if len(steps) == 0 {
		begins, says := t.table.NothingLeft(t.shard, footer)
		out.WriteString(strings.Replace(t.paragraph("", 0, begins+" "+says), begins, t.paint.green(begins), 1))
	}
	return out.String()
}

// drawPruned reports pruned fields. Without it, they would go unnoticed in cases without differences.
func (t *text) drawPruned(counted harness.Summary) string {
	if counted.PrunedFields == 0 {
		return ""
	}
	are, listing := "are", "; --prune=report lists them."
	if counted.PrunedFields == 1 {
		are = "is"
	}
	if t.options.Pruned || t.options.Verbose {
		listing = ", as listed above."
	}
	return t.paragraph("", 0, fmt.Sprintf("%s of %s %s not in the schema and pruned before validation%s",
		plaintext.Count(counted.PrunedFields, "field"), plaintext.Count(counted.PrunedCases, "case"), are, listing))
}

// drawTextual explains differences of class "path" that may not be real: a message for people may not
// name the field of an error.
func (t *text) drawTextual(sides harness.Sides) string {
	if t.textual == 0 {
		return ""
	}
	native, _ := sides.Titles()
	return t.paragraph("", 0, fmt.Sprintf("In %s %s refuses with a message that names no field, "+
		"so its path cannot be compared: answer with status.details.causes, or write the message as field.ErrorList does "+
		"(spec.size: Invalid value: 11: too big).", plaintext.Count(t.textual, "difference"), native))
}
