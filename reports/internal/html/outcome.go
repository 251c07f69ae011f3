package html

import (
	"html/template"
	"net/url"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// outcomeData is the outcome of a run: the title of the page, its icon, and its first line.
type outcomeData struct {
	// Word is the outcome, Sign how much attention it needs.
	Word, Sign string
	Title      string
	Icon       template.URL
}

// outcome returns the outcome of a run. A narrowed run never looks like a whole one.
func (h *report) outcome(footer summary.Footer) outcomeData {
	made := outcomeData{Word: "passed", Sign: "good"}
	failing := 0
	for _, row := range h.table.Rows {
		failing += row.Failing
	}
	switch {
	case footer.Incomplete:
		made.Word, made.Sign = "incomplete", "bad"
	case footer.Summary.Inputs == 0:
		made.Word, made.Sign = "nothing was compared", "bad"
	case failing > 0 || len(footer.Problems) > 0:
		made.Word, made.Sign = "failed", "bad"
	}
	narrowed := len(footer.Narrowed) > 0
	if narrowed {
		made.Word += ", narrowed"
		if made.Sign == "good" {
			made.Sign = "noted"
		}
	}
	title := []string{sign(made.Sign) + " " + made.Word}
	if counts := titleCounts(footer.Summary); counts != "" && made.Sign == "bad" {
		title = append(title, counts)
	}
	if len(h.header.Suites) == 1 {
		title = append(title, display.Name(h.header.Suites[0].Name))
	}
	made.Title = strings.Join(append(title, "diffrun"), " · ")
	made.Icon = icon(made.Sign, narrowed)
	return made
}

// sign returns the character of how much attention something needs.
func sign(attention string) string {
	switch attention {
	case "bad":
		return "✗"
	case "noted":
		return "!"
	}
	return "✓"
}

// titleCounts counts unexplained results, for the title of a window.
func titleCounts(counted harness.Summary) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, plaintext.Number(n)+" "+what)
		}
	}
	add(counted.Verdicts[words.Faulted], plaintext.Plural(counted.Verdicts[words.Faulted], "fault"))
	add(counted.OpenEffects[words.Stuck], string(words.Stuck))
	add(counted.OpenEffects[words.Admits], string(words.Admits))
	add(counted.OpenEffects[words.Refuses], string(words.Refuses))
	if len(parts) == 0 {
		add(counted.Verdicts[words.Different], string(words.Different))
	}
	return strings.Join(parts, ", ")
}

// icon returns the icon of the page: its colour is the outcome, and the ring of a narrowed run is
// open.
func icon(attention string, narrowed bool) template.URL {
	colors := map[string]string{"good": "#1a7037", "noted": "#9a6700", "bad": "#b3261e"}
	paths := map[string]string{"good": "M9 17l5 5 9-11", "noted": "M16 8v11m0 4v1", "bad": "M10 10l12 12m0-12L10 22"}
	ring := ""
	if narrowed {
		ring = ` stroke-dasharray="8 5"`
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-width="4" stroke-linecap="round">` +
		`<circle cx="16" cy="16" r="13.5" stroke-width="3" stroke="` + colors[attention] + `"` + ring + `/><path stroke="` +
		colors[attention] + `" d="` + paths[attention] + `"/></svg>`
	return template.URL("data:image/svg+xml," + url.PathEscape(svg))
}

// fact is a line about the run.
type fact struct {
	Name, Text, More, URL string
	Code                  bool
}

// facts returns what ran, when, and at which commit.
func (h *report) facts(footer summary.Footer) []fact {
	var facts []fact
	origin := h.header.Origin
	if !origin.Started.IsZero() {
		facts = append(facts, fact{Name: "when", Text: origin.Started.UTC().Format("2006-01-02 15:04 UTC")})
	}
	if commit := plaintext.Line(origin.Commit); commit != "" {
		text := fact{Name: "commit", Text: commit[:min(len(commit), 12)], Code: true}
		if origin.Modified {
			text.More = "with changes that are not committed"
		}
		facts = append(facts, text)
	}
	flags := append([]string{}, h.header.Options...)
	if len(h.header.Gate) > 0 {
		flags = append(flags, summary.GateFlag(h.header.Gate))
	}
	if h.header.Shard != "" {
		flags = append(flags, "--shard "+h.header.Shard)
	}
	text := fact{Name: "flags", Text: plaintext.Line(strings.Join(flags, " ")), Code: true}
	if len(flags) == 0 {
		text = fact{Name: "flags", Text: "none that change what is compared"}
	}
	facts = append(facts, text, fact{Name: "diffrun", Text: plaintext.Line(h.header.Version)})
	if causetext.IsLink(origin.RunURL) {
		facts = append(facts, fact{Name: "CI", Text: "the job that ran it", URL: origin.RunURL})
	}
	return facts
}

// suiteData is a suite of the run, with the address of its file.
type suiteData struct{ Name, Source, URL string }

func (h *report) suites() (suites []suiteData, more string) {
	shown, left := plaintext.First(h.header.Suites)
	for _, suite := range shown {
		suites = append(suites, suiteData{display.Name(suite.Name), display.Name(suite.Source),
			causetext.SourceURL(h.header.Origin.SourceURL, suite.Source)})
	}
	if left > 0 {
		more = plaintext.More(left)
	}
	return suites, more
}
