package markdown

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// markdown writes a run as a job summary or as a comment on a pull request, with one entry for
// each cause. It is written at the end and always fits into a comment.
type markdown struct {
	out    io.Writer
	suites []summary.Suite
	shard  string
	origin summary.Origin
	table  summary.Table
	groups causes.Groups
	// rest are the causes that did not fit.
	rest []*causes.Group
}

const (
	// maxBytes is below the number of characters that GitHub allows in a comment. Bytes are
	// counted, and there are at least as many bytes as characters.
	maxBytes = 65_535
	// reserve is kept for the end: the omitted parts, and the next steps.
	reserve = 3_000
	// maxRows, maxItems and maxOpen limit the listed targets, the listed problems,
	// and the causes that are not folded.
	maxRows  = 50
	maxItems = 20
	maxOpen  = 5
	// maxCauses limits the causes in a comment, which is read as a whole.
	maxCauses = 50
)

// New returns a reporter that writes to w.
func New(w io.Writer) summary.Reporter { return &markdown{out: w} }

func (m *markdown) Begin(header summary.Header) error {
	m.suites, m.shard, m.origin = header.Suites, header.Shard, header.Origin
	m.table.Gate, m.groups.Gate = header.Gate, header.Gate
	return nil
}

func (m *markdown) Result(r harness.Result) error {
	m.table.Add(r)
	m.groups.Add(r)
	return nil
}

func (m *markdown) End(footer summary.Footer) error {
	footer.Summary.Sides = quoted(footer.Summary.Sides)
	page := boundedPage{left: maxBytes - reserve}
	page.add(m.drawHead(footer))
	page.list("Problems of this run", footer.Problems)
	page.list("Cases left out: the suite has no such target", summary.LeftOutTexts(footer.LeftOut))
	m.drawTable(&page)
	m.drawGroups(&page, footer.Summary.Sides)
	if err := m.drawCoverage(&page, footer.Coverage); err != nil {
		return fmt.Errorf("writing the Markdown report: %w", err)
	}
	page.left += reserve
	page.add(m.drawEnd(footer))
	if _, err := io.WriteString(m.out, page.text.String()); err != nil {
		return fmt.Errorf("writing the Markdown report: %w", err)
	}
	return nil
}

// drawHead returns the outcome of the run.
func (m *markdown) drawHead(footer summary.Footer) string {
	sign, found := "✓", "passed"
	if m.table.AllowedResults > 0 {
		found += "; " + summary.GateFlag(m.table.Gate) + " allows what differs"
	}
	for _, row := range m.table.Rows {
		if row.Failing > 0 {
			sign, found = "✗", "failed"
		}
	}
	switch {
	case footer.Incomplete:
		sign, found = "✗", "incomplete: the run ended early, only finished inputs are counted"
	case len(footer.Problems) > 0 && sign == "✓":
		sign, found = "✗", "problems of the run"
	case footer.Summary.Inputs == 0:
		sign, found = "✗", "nothing was compared"
	}
	text := "## " + sign + " diffrun: " + found + "\n\n"
	if unguarded := m.table.UnguardedSentence(); unguarded != "" {
		text += string(plaintext.Markdown(unguarded)) + "\n\n"
	}
	if m.shard != "" {
		text += summary.ShardSentence(m.shard) + "\n\n"
	}
	if narrowed := slices.Clone(footer.Narrowed); len(narrowed) > 0 {
		for i := range narrowed {
			narrowed[i] = causetext.CodeSpan(narrowed[i])
		}
		text += "This run was narrowed: " + strings.Join(narrowed, "; ") + ".\n\n"
	}
	if footer.Summary.Inputs > 0 {
		text += summary.EffectSentence(footer.Summary) + "\n\n"
	}
	if ran := summary.RanSentence(m.suites, causetext.CodeSpan); ran != "" {
		text += ran + "\n\n"
	}
	text += summary.Line(footer, m.table.ByVerdict) + "\n\n"
	for _, note := range footer.Notes {
		text += "Note: " + causetext.CodeSpan(note) + "\n\n"
	}
	if allows := m.table.AllowedSentence(); allows != "" {
		text += allows + "\n\n"
	}
	return text
}

// drawTable adds the table of targets. If there are too many, failing targets come first.
func (m *markdown) drawTable(page *boundedPage) {
	rows := slices.Clone(m.table.Rows)
	if len(rows) == 0 {
		return
	}
	columns := summary.Columns(rows)
	if len(rows) > maxRows {
		slices.SortStableFunc(rows, func(a, b *summary.Row) int { return min(b.Failing, 1) - min(a.Failing, 1) })
	}
	heading, line := "|   | target |", "|---|---|"
	for _, column := range columns {
		heading += " " + column.Heading + " |"
		line += "---:|"
	}
	if !page.add(heading + "\n" + line + "\n") {
		return
	}
	for i, row := range rows {
		text := "| " + row.Sign() + " | " + tableCell(m.title(row)) + " |"
		for _, column := range columns {
			text += fmt.Sprintf(" %s |", strings.TrimSpace(display.Number(column.Number(row), 1)))
		}
		if i == maxRows || !page.add(text+"\n") {
			page.add(fmt.Sprintf("\n%s\n", plaintext.More(len(rows)-i)))
			break
		}
	}
	page.add("\n")
}

// title returns the title of a row. It has the suite if there are several.
func (m *markdown) title(row *summary.Row) string {
	if len(m.suites) > 1 {
		return row.Suite + ": " + row.Name()
	}
	return row.Name()
}

// quoted returns sides whose names have no meaning in Markdown.
func quoted(sides harness.Sides) harness.Sides {
	sides.Called = sides.Called.Quoted(causetext.CodeSpan)
	return sides
}

// drawGroups adds as many causes as fit. Sides are those of the run.
func (m *markdown) drawGroups(page *boundedPage, sides harness.Sides) {
	groups := m.groups.Sorted()
	heading, headings := "", summary.Headings{}
	for _, group := range groups {
		headings.Add(group.Effect, quoted(group.First.Sides))
	}
	for i, group := range groups {
		if i == maxCauses {
			m.rest = groups[i:]
			return
		}
		text := causetext.Markdown(group, i < maxOpen, m.sourceURL)
		if title := m.groupTitle(group, headings, sides); title != heading {
			heading = title
			text = "### " + title + "\n\n" + text
		}
		if !page.add(text) {
			m.rest = groups[i:]
			return
		}
	}
}

// drawRest counts the causes that did not fit.
func (m *markdown) drawRest() string {
	found := m.groups.More
	for _, group := range m.rest {
		found += group.Found
	}
	if found == 0 {
		return ""
	}
	all := "-o json=FILE and -o html=FILE keep all"
	if causetext.IsLink(m.origin.RunURL) && !strings.ContainsAny(m.origin.RunURL, " ()<>\n") {
		all = "[the job](" + m.origin.RunURL + ") has all that it wrote"
	}
	return fmt.Sprintf("… and %s, found %d times; %s\n\n", plaintext.Count(len(m.rest), "more cause"), found, all)
}

// sourceURL returns the address of a source file, or "".
func (m *markdown) sourceURL(source string) string {
	return causetext.SourceURL(m.origin.SourceURL, source)
}

// groupTitle is the heading of the groups of a kind and an effect. Sides are those of the run.
func (m *markdown) groupTitle(group *causes.Group, headings summary.Headings, sides harness.Sides) string {
	title := "Effect" + headings.MarkdownTitle(group.Effect)
	switch group.Kind {
	case causes.Fault:
		title = "Faults: no verdict"
	case causes.Unmet:
		native, _ := sides.Titles()
		title = "Unmet: " + native + " does not return the errors that a case wants"
	}
	if group.Allowed {
		return "Allowed by " + summary.GateFlag(m.table.Gate) + ". " + title
	}
	return title
}

// drawEnd returns what exceptions accepted, and what to do next.
func (m *markdown) drawEnd(footer summary.Footer) string {
	var out strings.Builder
	out.WriteString(m.drawRest())
	if len(m.table.Excepted) > 0 {
		fmt.Fprintf(&out, "%s accepted by %s.\n\n", plaintext.Count(m.table.AllExcepted(), "difference"),
			plaintext.Count(len(m.table.Excepted), "exception"))
	}
	for _, step := range m.table.NextSteps(footer) {
		out.WriteString("* next: " + step + "\n")
	}
	return out.String()
}

// drawCoverage adds the coverage if it fits.
func (m *markdown) drawCoverage(page *boundedPage, c summary.Coverage) error {
	if c == nil {
		return nil
	}
	heading, small := "### "+summary.CoverageTitle+"\n\n", "\nThe coverage does not fit here; the other formats have it.\n\n"
	var part strings.Builder
	if err := c.MarkdownPart(&part, page.left-len(heading)-len(small)); err != nil {
		return err
	}
	if !page.add(heading + part.String() + "\n") {
		page.add(small)
	}
	return nil
}
