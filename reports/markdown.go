package reports

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// markdown writes a run as a job summary or as a comment on a pull request, with one entry for
// each cause. It is written at the end and always fits into a comment.
type markdown struct {
	out      io.Writer
	several  bool // suites are to be told apart
	shard    string
	table    table
	groups   causes.Groups
	excepted map[string]int
	// rest are the causes that did not fit.
	rest []*causes.Group
	// byVerdict counts the inputs compared by verdict only.
	byVerdict int
}

const (
	// markdownLimit is below the number of characters that GitHub allows in a comment. Bytes are
	// counted, and there are at least as many bytes as characters.
	markdownLimit = 65_535
	// markdownReserve is kept for the end: what did not fit, and what to do next.
	markdownReserve = 3_000
	// markdownRows, markdownItems and markdownOpen limit the listed targets, the listed problems,
	// and the causes that are not folded.
	markdownRows  = 50
	markdownItems = 20
	markdownOpen  = 5
)

func newMarkdown(w io.Writer, _ Options) Reporter {
	return &markdown{out: w, excepted: map[string]int{}}
}

func (m *markdown) Begin(header Header) error {
	m.several, m.shard = len(header.Suites) > 1, header.Shard
	m.table.gate, m.groups.Gate = header.FailOn, header.FailOn
	return nil
}

func (m *markdown) Result(r harness.Result) error {
	m.table.add(r)
	m.groups.Add(r)
	if r.Verdict == harness.Equivalent && countKind(r.Pairs, equivalence.Verdict) > 0 {
		m.byVerdict++
	}
	for _, pair := range r.Pairs {
		if pair.Exception != nil {
			m.excepted[pair.Exception.ID]++
		}
	}
	return nil
}

func (m *markdown) End(footer Footer) error {
	page := markdownPage{left: markdownLimit - markdownReserve}
	page.add(m.drawHead(footer))
	page.list("Problems of this run", footer.Problems)
	page.list("Cases left out: the suite has no such target", leftOutTexts(footer.LeftOut))
	m.drawTable(&page)
	m.drawGroups(&page)
	if err := m.drawCoverage(&page, footer.Coverage); err != nil {
		return fmt.Errorf("writing the Markdown report: %w", err)
	}
	page.left += markdownReserve
	page.add(m.drawEnd(footer))
	return write(m.out, "Markdown", page.text.String())
}

// drawHead returns the outcome of the run.
func (m *markdown) drawHead(footer Footer) string {
	sign, found := "✓", "as wanted"
	if m.table.allowed > 0 {
		found += "; " + gateFlag(m.table.gate) + " allows what differs"
	}
	for _, row := range m.table.rows {
		if row.failing > 0 {
			sign, found = "✗", "not as wanted"
		}
	}
	switch {
	case footer.Incomplete:
		sign, found = "✗", "incomplete: the run ended early, this counts what was finished"
	case len(footer.Problems) > 0 && sign == "✓":
		sign, found = "✗", "problems of the run"
	case footer.Summary.Inputs == 0:
		sign, found = "✗", "nothing was compared"
	}
	text := "## " + sign + " diffrun: " + found + "\n\n"
	if m.shard != "" {
		text += shardSentence(m.shard) + "\n\n"
	}
	if narrowed := footer.NarrowedTexts(m.shard); len(narrowed) > 0 {
		for i := range narrowed {
			narrowed[i] = codeSpan(narrowed[i])
		}
		text += "This run was narrowed: " + strings.Join(narrowed, "; ") + ".\n\n"
	}
	if footer.Summary.Inputs > 0 {
		text += effectSentence(footer.Summary) + "\n\n"
	}
	text += sentence(footer, verdictOnly(m.byVerdict)) + "\n\n"
	if allows := m.table.allowedSentence(); allows != "" {
		text += allows + "\n\n"
	}
	return text
}

// drawTable adds the table of targets. If there are too many, failing targets come first.
func (m *markdown) drawTable(page *markdownPage) {
	rows := slices.Clone(m.table.rows)
	if len(rows) == 0 {
		return
	}
	columns := columnsOf(rows)
	if len(rows) > markdownRows {
		slices.SortStableFunc(rows, func(a, b *row) int { return min(b.failing, 1) - min(a.failing, 1) })
	}
	heading, line := "|   | target |", "|---|---|"
	for _, column := range columns {
		heading += " " + column.heading + " |"
		line += "---:|"
	}
	if !page.add(heading + "\n" + line + "\n") {
		return
	}
	for i, row := range rows {
		text := "| " + row.sign(false) + " | " + tableCell(m.title(row)) + " |"
		for _, column := range columns {
			text += fmt.Sprintf(" %s |", strings.TrimSpace(number(column.number(row), 1)))
		}
		if i == markdownRows || !page.add(text+"\n") {
			page.add(fmt.Sprintf("\n%s\n", plaintext.More(len(rows)-i)))
			break
		}
	}
	page.add("\n")
}

// title returns the title of a row. It has the suite if there are several.
func (m *markdown) title(row *row) string {
	if m.several {
		return row.suite + ": " + row.name()
	}
	return row.name()
}

// drawGroups adds as many causes as fit.
func (m *markdown) drawGroups(page *markdownPage) {
	groups := m.groups.Sorted()
	heading := ""
	for i, group := range groups {
		text := drawGroup(group, i < markdownOpen)
		if title := m.groupTitle(group); title != heading {
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
	return fmt.Sprintf("… and %s, found %d times; -o json=FILE keeps all\n\n", count(len(m.rest), "more cause"), found)
}

// groupTitle is the heading of the groups of a kind and an effect.
func (m *markdown) groupTitle(group *causes.Group) string {
	title := "Effect" + effectTitle(group.First.Sides, group.Effect)
	switch group.What {
	case causes.Fault:
		title = "Faults: no verdict"
	case causes.Unmet:
		title = "Unmet: the native validator does not give what a case wants"
	}
	if group.Allowed {
		return "Allowed by " + gateFlag(m.table.gate) + ". " + title
	}
	return title
}

// drawGroup returns one cause, folded or open.
func drawGroup(group *causes.Group, open bool) string {
	first := group.First
	what, sides := string(group.What), ""
	switch group.What {
	case causes.Fault:
		what, sides = "fault of the "+first.Of, codeBlock("fault:", first.Text)
	case causes.Unmet:
		sides = codeBlock("unmet:", first.Text)
	case causes.Difference:
		what = string(group.Cause.Class) + " " + htmlCode(group.Cause.Kind) + " " + htmlCode(place(group.Cause.Field))
		sides = markdownSides(group)
	}
	opening := "<details>"
	if open {
		opening = "<details open>"
	}
	where := codeSpan(first.Case)
	if first.Source != "" && first.Source != first.Case {
		where += " at " + codeSpan(first.Source)
	}
	var targets []string
	for _, target := range group.Targets {
		targets = append(targets, codeSpan(target))
	}
	if len(targets) > 0 {
		where += ", in " + plaintext.List(targets)
	}
	return fmt.Sprintf("%s<summary><b>%d×</b> in %s: %s</summary>\n\n%sfirst: %s\n\n</details>\n\n",
		opening, group.Found, count(group.Cases, "case"), what, sides, where)
}

// markdownSides shows the two errors of a difference, one below the other.
func markdownSides(group *causes.Group) string {
	side := func(sign, label string, err *causes.Error) string {
		text := noError
		if err != nil {
			text = place(err.Field) + ": " + err.String()
		}
		return sign + " " + pad(label, labelWidth) + plaintext.Cut(text, markdownWidth) + "\n"
	}
	first := group.First
	firstName, secondName := first.Sides.Names()
	text := "```diff\n" + side("-", firstName, first.Native) + side("+", secondName, first.Declarative) + "```\n\n"
	if first.Frequency != "" {
		text += first.Frequency + "\n\n"
	}
	return text
}

// drawEnd returns what exceptions accepted, and what to do next.
func (m *markdown) drawEnd(footer Footer) string {
	var out strings.Builder
	out.WriteString(m.drawRest())
	if len(m.excepted) > 0 {
		total := 0
		for n := range maps.Values(m.excepted) {
			total += n
		}
		fmt.Fprintf(&out, "%s accepted by %s.\n\n", count(total, "difference"), count(len(m.excepted), "exception"))
	}
	for _, step := range m.table.nextSteps(footer) {
		out.WriteString("* next: " + step + "\n")
	}
	return out.String()
}
