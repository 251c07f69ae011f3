package html

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// pageData is the summary of the results, as the template "page" shows it. Empty sections are not
// shown.
type pageData struct {
	Outcome    outcomeData
	Policy     string // the Content-Security-Policy of the page
	Style      template.CSS
	Facts      []fact
	Suites     []suiteData
	MoreSuites string
	Incomplete bool
	Narrowed   string
	Effect     string
	Counted    string
	Allowed    string
	Steps      []string
	Nothing    string // that nothing is left to do
	Problems   listData
	LeftOut    listData
	Pictures   picturesData
	Totals     []totalData
	Matrix     *matrixData
	Timing     *timingData
	Coverage   template.HTML
	NotHeld    string // how many results the lists do not have; empty: they have all
	Data       scriptData
	Script     template.JS
}

// listData is a list that may be incomplete.
type listData struct {
	Items []string
	More  string
}

func newList(items []string) listData {
	shown, more := plaintext.First(items)
	var list listData
	for _, item := range shown {
		list.Items = append(list.Items, plaintext.Line(item))
	}
	if more > 0 {
		list.More = plaintext.More(more)
	}
	return list
}

// totalData is a number of the whole run. Filter and Value select the results that it counts.
type totalData struct {
	Name, Number  string
	Sign          string // how much attention it needs
	Filter, Value string
}

// scriptData is read by the scripts in addition to the cases.
type scriptData struct {
	Rows     []rowData   `json:"rows"`
	Causes   []causeData `json:"causes"`
	More     int         `json:"more"` // differences and faults that belong to no cause
	Verdicts []string    `json:"verdicts"`
	Effects  []string    `json:"effects"`
	Classes  []string    `json:"classes"`
	Needing  []string    `json:"needing"`           // verdicts that need attention
	Options  []string    `json:"options"`           // that repeat the comparison
	Sources  string      `json:"sources,omitempty"` // the address of a file, with {file} and {line}
	Names    []namesData `json:"names"`
	// Glossary is the address of the page that explains classes and effects.
	Glossary string `json:"glossary"`
}

type rowData struct {
	Suite  string `json:"suite"`
	Target string `json:"target"`
	Kind   string `json:"kind"`
	Source string `json:"source"` // the file of the suite
	// Names is the number of the names of its sides.
	Names int `json:"names"`
}

func (h *report) newPage(footer summary.Footer) pageData {
	style, script := styleSheet(), allScripts()
	page := pageData{
		Outcome: h.outcome(footer),
		// The page loads nothing, and only its own scripts and styles apply.
		Policy: fmt.Sprintf("default-src 'none'; img-src data:; style-src '%s'; script-src '%s'; base-uri 'none'; "+
			"form-action 'none'", policyHash(style), policyHash(script)),
		Style:      template.CSS(style),
		Facts:      h.facts(footer),
		Incomplete: footer.Incomplete,
		Narrowed:   summary.NarrowedSentence(footer),
		Counted:    "Nothing was compared.",
		Allowed:    h.table.AllowedSentence(),
		Steps:      h.table.NextSteps(footer),
		Problems:   newList(footer.Problems),
		Totals:     h.totals(footer.Summary),
		Matrix:     h.newMatrix(),
		Timing:     h.timing.draw(footer.Summary.Sides),
		Data:       h.newData(),
		Pictures: picturesData{Verdicts: h.newSegments(footer.Summary), Classes: h.classes.draw(),
			Coverage: newCoverageBars(footer.Coverage)},
		Script: template.JS(script),
	}
	if len(page.Steps) == 0 {
		begins, says := h.table.NothingLeft(h.header.Shard, footer)
		page.Nothing = begins + " " + says
	}
	page.Suites, page.MoreSuites = h.suites()
	if footer.Summary.Inputs > 0 {
		page.Effect = summary.EffectSentence(footer.Summary)
		page.Counted = plaintext.Count(footer.Summary.Cases, "case")
		if footer.Elapsed > 0 {
			page.Counted += " in " + plaintext.Duration(footer.Elapsed)
		}
		page.Counted += "."
		if unguarded := h.table.UnguardedSentence(); unguarded != "" {
			page.Counted = unguarded + " " + page.Counted
		}
		for _, note := range footer.Notes {
			page.Counted += " Note: " + note + "."
		}
	}
	if counted := footer.Summary; counted.PrunedFields > 0 {
		page.Counted += fmt.Sprintf(" Not in the schema and pruned before validation: %s of %s.",
			plaintext.Count(counted.PrunedFields, "field"), plaintext.Count(counted.PrunedCases, "case"))
	}
	if h.leftOut > 0 {
		page.NotHeld = fmt.Sprintf("%s left out: the page holds the first %s and the first of each cause. The numbers above count all.",
			plaintext.Count(h.leftOut, "result"), plaintext.Number(maxResults))
	}
	var left []string
	for _, one := range footer.LeftOut {
		left = append(left, fmt.Sprintf("%s: suite %s has no target %s", plaintext.Count(one.Cases, "case"),
			display.Name(one.Suite), display.Name(one.Target)))
	}
	page.LeftOut = newList(left)
	return page
}

// totals returns the totals. It omits zeros, except for effects: readers want to see that no
// verdict changes.
func (h *report) totals(counted harness.Summary) []totalData {
	var totals []totalData
	if counted.Inputs == 0 {
		return nil
	}
	add := func(name string, n int, sign, filter, value string) {
		if n == 0 {
			sign = "none"
		}
		totals = append(totals, totalData{name, plaintext.Number(n), sign, filter, value})
	}
	_, second := counted.Sides.Labels()
	if second == contract.DeclarativeName {
		second = "schema"
	}
	if n := counted.Effects[words.Stuck]; n > 0 {
		add("stuck when stored", n, h.effectSign(words.Stuck, counted.OpenEffects), "effect", string(words.Stuck))
	}
	add(plaintext.Line(second)+" admits", counted.Effects[words.Admits], h.effectSign(words.Admits, counted.OpenEffects),
		"effect", string(words.Admits))
	add(plaintext.Line(second)+" refuses", counted.Effects[words.Refuses], h.effectSign(words.Refuses, counted.OpenEffects),
		"effect", string(words.Refuses))
	for _, verdict := range words.Verdicts() {
		if n := counted.Verdicts[verdict]; n > 0 {
			add(string(verdict), n, h.verdictSign(verdict), "verdict", string(verdict))
		}
	}
	if counted.Unmet > 0 {
		add("unmet", counted.Unmet, h.unmetSign(), "verdict", "unmet")
	}
	return totals
}

// verdictSign returns how much attention a verdict needs.
func (h *report) verdictSign(verdict words.Verdict) string {
	switch verdict {
	case words.Different, words.Faulted, words.Unstable:
		if h.table.AllowedResults > 0 && h.table.FailVerdicts[verdict] == 0 {
			return "noted"
		}
		return "bad"
	case words.Ratcheting:
		if h.table.Gate.Ratcheting() {
			return "bad"
		}
		return "noted"
	case words.Excepted, words.Inexpressible:
		return "noted"
	}
	return "good"
}

// effectSign returns how much attention an effect that changes a verdict needs. open counts the
// unexplained ones.
func (h *report) effectSign(effect words.Effect, open map[words.Effect]int) string {
	if open[effect] == 0 || h.table.AllowedResults > 0 && h.table.FailEffects[effect] == 0 {
		return "noted"
	}
	return "bad"
}

// unmetSign returns how much attention expectations that are not met need.
func (h *report) unmetSign() string {
	if h.table.Gate.AllowsUnmet() {
		return "noted"
	}
	return "bad"
}

// repeated returns the flags with which one case is compared in the same way.
func (h *report) repeated() []string {
	options := []string{}
	for _, option := range h.header.Options {
		name, _, _ := strings.Cut(option, "=")
		if slices.Contains([]string{"--no-rules", "--no-exceptions", "--check-recorded", "--repeat", "--self", "--compare", "--by"}, name) {
			options = append(options, plaintext.Line(option))
		}
	}
	return options
}

func (h *report) newData() scriptData {
	data := scriptData{
		Causes:   h.causes.sorted(),
		More:     h.causes.groups.More,
		Rows:     []rowData{},
		Names:    []namesData{},
		Glossary: causetext.Glossary,
		Options:  h.repeated(),
	}
	if causetext.IsLink(h.header.Origin.SourceURL) {
		data.Sources = h.header.Origin.SourceURL
	}
	files := map[string]string{}
	for _, suite := range h.header.Suites {
		files[suite.Name] = suite.Source
	}
	numbers := map[harness.Sides]int{}
	for _, row := range h.table.Rows {
		at, known := numbers[row.Sides]
		if !known {
			at = len(data.Names)
			numbers[row.Sides], data.Names = at, append(data.Names, newNames(row.Sides))
		}
		data.Rows = append(data.Rows, rowData{
			Suite: display.Name(row.Suite), Target: row.Name(), Kind: display.Name(row.Version.Kind),
			Source: display.Name(files[row.Suite]),
			Names:  at,
		})
	}
	for _, verdict := range words.Verdicts() {
		data.Verdicts = append(data.Verdicts, string(verdict))
		if h.verdictSign(verdict) == "bad" {
			data.Needing = append(data.Needing, string(verdict))
		}
	}
	for _, effect := range words.Effects() {
		data.Effects = append(data.Effects, string(effect))
	}
	for _, class := range difference.Classes() {
		data.Classes = append(data.Classes, string(class))
	}
	return data
}
