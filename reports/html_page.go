package reports

import (
	"fmt"
	"html/template"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// htmlPage is the summary of the results, as the template "body" shows it. Empty sections are not
// shown.
type htmlPage struct {
	Title      string
	Version    string
	Suites     []string
	Incomplete bool
	Narrowed   string
	Effect     string
	Counted    string
	Allowed    string
	Steps      []string
	Nothing    string // that nothing is left to do
	Problems   htmlList
	LeftOut    htmlList
	Totals     []htmlTotal
	Matrix     *htmlMatrix
	Timing     *htmlTiming
	Coverage   template.HTML
	NotHeld    string // how many results the lists do not have; empty: they have all
	Data       htmlData
	Script     template.JS
}

// htmlList is a list that may be incomplete.
type htmlList struct {
	Items []string
	More  string
}

func newHTMLList(items []string) htmlList {
	shown, more := plaintext.First(items)
	var list htmlList
	for _, item := range shown {
		list.Items = append(list.Items, plaintext.Line(item))
	}
	if more > 0 {
		list.More = plaintext.More(more)
	}
	return list
}

// htmlTotal is a number of the whole run. Filter and Value select the results that it counts.
type htmlTotal struct {
	Name, Number  string
	Sign          string // how much attention it needs
	Filter, Value string
}

// htmlData is what the scripts read in addition to the cases.
type htmlData struct {
	Rows     []htmlRow   `json:"rows"`
	Causes   []htmlCause `json:"causes"`
	More     int         `json:"more"` // differences and faults that belong to no cause
	Verdicts []string    `json:"verdicts"`
	Effects  []string    `json:"effects"`
	Classes  []string    `json:"classes"`
	Needing  []string    `json:"needing"` // verdicts that need attention
	Sides    [2]string   `json:"sides"`   // the names of the backends
}

type htmlRow struct {
	Suite  string `json:"suite"`
	Target string `json:"target"`
}

func (h *htmlReport) newPage(footer Footer) htmlPage {
	page := htmlPage{
		Title:      "diffrun report",
		Version:    plaintext.Line(h.header.Version),
		Incomplete: footer.Incomplete,
		Narrowed:   narrowedSentence(h.header.Shard, footer),
		Counted:    "Nothing was compared.",
		Allowed:    h.table.allowedSentence(),
		Steps:      h.table.nextSteps(footer),
		Problems:   newHTMLList(footer.Problems),
		Totals:     h.table.htmlTotals(footer.Summary),
		Matrix:     h.newMatrix(),
		Timing:     h.timing.draw(footer.Summary.Sides),
		Data:       h.newData(footer.Summary.Sides),
		Script:     template.JS(htmlScript()),
	}
	if len(page.Steps) == 0 {
		begins, says := h.table.nothingLeft(h.header.Shard, footer)
		page.Nothing = begins + " " + says
	}
	shown, more := plaintext.First(h.header.Suites)
	for _, suite := range shown {
		page.Suites = append(page.Suites, name(suite.Name)+" ("+name(suite.Source)+")")
	}
	if more > 0 {
		page.Suites = append(page.Suites, plaintext.More(more))
	}
	if footer.Summary.Inputs > 0 {
		page.Effect = effectSentence(footer.Summary)
		page.Counted = grouped(footer.Summary.Cases) + plural(footer.Summary.Cases, " case")
		if footer.Elapsed > 0 {
			page.Counted += " in " + roundedTime(footer.Elapsed)
		}
		page.Counted += "." + unguardedSentence(footer.Summary)
	}
	if pruned := footer.Summary.Pruned; pruned.Fields > 0 {
		page.Counted += fmt.Sprintf(" Not in the schema and pruned before validation: %s of %s.", count(pruned.Fields, "field"), count(pruned.Cases, "case"))
	}
	if h.leftOut > 0 {
		page.NotHeld = fmt.Sprintf("%s left out: the page holds the first %s and the first of each cause. The numbers above count all.", grouped(h.leftOut)+plural(h.leftOut, " result"), grouped(maxResults))
	}
	var left []string
	for _, one := range footer.LeftOut {
		left = append(left, fmt.Sprintf("%s: suite %s has no target %s", count(one.Cases, "case"), name(one.Suite), name(one.Target)))
	}
	page.LeftOut = newHTMLList(left)
	return page
}

// htmlTotals returns the totals. It omits zeros, except for effects: readers want to see that no
// verdict changes.
func (t *table) htmlTotals(summary harness.Summary) []htmlTotal {
	var totals []htmlTotal
	if summary.Inputs == 0 {
		return nil
	}
	add := func(name string, n int, sign, filter, value string) {
		if n == 0 {
			sign = "none"
		}
		totals = append(totals, htmlTotal{name, grouped(n), sign, filter, value})
	}
	_, second := summary.Sides.Names()
	if second == harness.DeclarativeName {
		second = "schema"
	}
	add(plaintext.Line(second)+" admits", summary.Effects[harness.Admits], t.effectSign(harness.Admits), "effect", string(harness.Admits))
	add(plaintext.Line(second)+" refuses", summary.Effects[harness.Refuses], t.effectSign(harness.Refuses), "effect", string(harness.Refuses))
	for _, verdict := range harness.Verdicts() {
		if n := summary.Verdicts[verdict]; n > 0 {
			add(string(verdict), n, t.verdictSign(verdict), "verdict", string(verdict))
		}
	}
	if summary.Unmet > 0 {
		add("unmet", summary.Unmet, t.unmetSign(), "verdict", "unmet")
	}
	return totals
}

// verdictSign returns how much attention a verdict needs.
func (t *table) verdictSign(verdict harness.Verdict) string {
	switch verdict {
	case harness.Different, harness.Faulted, harness.Unstable:
		if t.allowed > 0 && t.judged.verdicts[verdict] == 0 {
			return "noted"
		}
		return "bad"
	case harness.Ratcheted:
		if t.gate.Ratcheting() {
			return "bad"
		}
		return "noted"
	case harness.Excepted, harness.Inexpressible:
		return "noted"
	}
	return "good"
}

// effectSign returns how much attention an effect that changes a verdict needs.
func (t *table) effectSign(effect harness.Effect) string {
	if t.allowed > 0 && t.judged.effects[effect] == 0 {
		return "noted"
	}
	return "bad"
}

// unmetSign returns how much attention expectations that are not met need.
func (t *table) unmetSign() string {
	if t.gate.AllowsUnmet() {
		return "noted"
	}
	return "bad"
}

func (h *htmlReport) newData(sides harness.Sides) htmlData {
	first, second := sides.Names()
	data := htmlData{Sides: [2]string{plaintext.Line(first), plaintext.Line(second)}, Causes: h.causes.sorted(), More: h.causes.groups.More, Rows: []htmlRow{}}
	for _, row := range h.table.rows {
		data.Rows = append(data.Rows, htmlRow{name(row.suite), row.name()})
	}
	for _, verdict := range harness.Verdicts() {
		data.Verdicts = append(data.Verdicts, string(verdict))
		if h.table.verdictSign(verdict) == "bad" {
			data.Needing = append(data.Needing, string(verdict))
		}
	}
	for _, effect := range harness.Effects() {
		data.Effects = append(data.Effects, string(effect))
	}
	for _, class := range equivalence.Classes() {
		data.Classes = append(data.Classes, string(class))
	}
	return data
}
