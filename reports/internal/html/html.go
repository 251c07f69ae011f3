package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// files are the parts of the page.
//
//go:embed *.js page.html report.css
var files embed.FS

// scriptNames returns the scripts of the page in the order in which they run.
func scriptNames() []string {
	return []string{
		"data.js",
		"elements.js",
		"object.js",
		"diff.js",
		"copy.js",
		"detail.js",
		"list.js",
		"causes.js",
		"filter.js",
		"sort.js",
		"address.js",
		"page.js",
	}
}

// report writes one page that needs no other file and no network, at the end: first all that a reader
// sees at once, and then the cases, as JSON that the page draws.
type report struct {
	out     io.Writer
	header  summary.Header
	table   summary.Table
	classes classCounts
	cases   buffer
	timing  timing
	causes  causeNumbers
	objects shownObjects
	// of is the case of the results that are not written yet.
	of      *harness.Case
	waiting []harness.Result
	written int // cases
	results int // that are written
	leftOut int // results that are not
}

// maxResults limits the results on the page, apart from the first of each cause, because a browser
// has to load them all.
const maxResults = 100_000

// New returns a reporter that writes to w.
func New(w io.Writer) summary.Reporter { return &report{out: w, classes: classCounts{}} }

func (h *report) Begin(header summary.Header) error {
	h.header = header
	h.table.Gate, h.causes.groups.Gate = header.Gate, header.Gate
	return nil
}

func (h *report) Result(r harness.Result) error {
	if h.of != r.Case {
		if err := h.writeCase(); err != nil {
			return err
		}
		h.of = r.Case
	}
	h.table.Add(r)
	h.timing.add(r)
	h.classes.add(h.table.Gate, r)
	h.waiting = append(h.waiting, r)
	return nil
}

// writeCase writes the waiting results, which belong to one case.
func (h *report) writeCase() error {
	if len(h.waiting) == 0 {
		return nil
	}
	// The encoder escapes <, >, & and the line ends of JavaScript.
	of, isNew := h.newCase(h.waiting)
	if h.results >= maxResults && !isNew {
		h.leftOut += len(h.waiting)
		h.waiting = h.waiting[:0]
		return nil
	}
	encoded, err := json.Marshal(of)
	if err != nil {
		return fmt.Errorf("writing case %s to the HTML report: %w", h.of.ID, err)
	}
	separator := ",\n"
	if h.written == 0 {
		separator = "\n"
	}
	h.written++
	h.results += len(h.waiting)
	h.waiting = h.waiting[:0]
	return h.cases.write(separator, string(encoded))
}

func (h *report) End(footer summary.Footer) error {
	if err := h.writeCase(); err != nil {
		return err
	}
	page := h.newPage(footer)
	covered, err := newCoverage(footer.Coverage)
	if err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	page.Coverage = covered
	if err := h.writePage(page); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return nil
}

// writePage writes the part of the page that is visible at once, the cases, and the scripts that draw them.
func (h *report) writePage(page pageData) error {
	templates, err := template.ParseFS(files, "page.html")
	if err != nil {
		return err
	}
	part := func(name string, after string) error {
		var text strings.Builder
		if err := templates.ExecuteTemplate(&text, name, page); err != nil {
			return err
		}
		_, err := io.WriteString(h.out, text.String()+after)
		return err
	}
	if err := part("page", `<script type="application/json" id="cases">[`); err != nil {
		return err
	}
	if err := h.cases.copyTo(h.out); err != nil {
		return err
	}
	return part("scripts", "")
}

// newCoverage returns the section about coverage.
func newCoverage(c summary.Coverage) (template.HTML, error) {
	if c == nil {
		return "", nil
	}
	var part strings.Builder
	err := c.HTMLPart(&part)
	return template.HTML(part.String()), err
}

func styleSheet() string { return "\n" + asset("report.css") }

// allScripts returns all scripts as one, so one hash allows it.
func allScripts() string {
	var script strings.Builder
	script.WriteString("\n\"use strict\";\n")
	for _, name := range scriptNames() {
		script.WriteString("\n" + asset(name))
	}
	return script.String()
}

func asset(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("html: " + err.Error()) // it is embedded
	}
	return string(data)
}

// policyHash returns the hash of a style or script for a Content-Security-Policy.
func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
