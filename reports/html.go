package reports

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
)

// htmlFiles are the parts of the page.
//
//go:embed html
var htmlFiles embed.FS

// htmlScripts returns the scripts of the page in the order in which they run.
func htmlScripts() []string {
	return []string{"data.js", "elements.js", "object.js", "detail.js", "list.js", "causes.js", "filter.js", "page.js"}
}

// htmlReport writes one page that needs no other file and no network. It writes each case when it
// comes, as JSON that the page draws, and the summary at the end.
type htmlReport struct {
	out     io.Writer
	header  Header
	table   table
	timing  timing
	causes  htmlCauses
	objects htmlObjects
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

func newHTML(w io.Writer, _ Options) Reporter {
	return &htmlReport{out: w}
}

func (h *htmlReport) Begin(header Header) error {
	h.header = header
	h.table.gate, h.causes.groups.Gate = header.FailOn, header.FailOn
	style, script := htmlStyle(), htmlScript()
	return h.template("head", struct {
		Policy string
		Style  template.CSS
	}{
		// The page loads nothing, and only its own scripts and styles apply.
		Policy: fmt.Sprintf("default-src 'none'; img-src data:; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", htmlHash(style), htmlHash(script)),
		Style:  template.CSS(style),
	}, `<script type="application/json" id="cases">[`)
}

func (h *htmlReport) Result(r harness.Result) error {
	if h.of != r.Case {
		if err := h.writeCase(); err != nil {
			return err
		}
		h.of = r.Case
	}
	h.table.add(r)
	h.timing.add(r)
	h.waiting = append(h.waiting, r)
	return nil
}

// writeCase writes the waiting results, which belong to one case.
func (h *htmlReport) writeCase() error {
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
	return write(h.out, "HTML", separator, string(encoded))
}

func (h *htmlReport) End(footer Footer) error {
	if err := h.writeCase(); err != nil {
		return err
	}
	if err := write(h.out, "HTML", "\n]</script>\n"); err != nil {
		return err
	}
	page := h.newPage(footer)
	covered, err := newCoverage(footer.Coverage)
	if err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	page.Coverage = covered
	return h.template("body", page)
}

// template writes a template of page.html, and then more text.
func (h *htmlReport) template(name string, data any, after ...string) error {
	templates, err := template.ParseFS(htmlFiles, "html/page.html")
	if err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	var page strings.Builder
	if err := templates.ExecuteTemplate(&page, name, data); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return write(h.out, "HTML", append([]string{page.String()}, after...)...)
}

func htmlStyle() string { return "\n" + htmlFile("report.css") }

// htmlScript returns all scripts as one, so one hash allows it.
func htmlScript() string {
	var script strings.Builder
	script.WriteString("\n\"use strict\";\n")
	for _, name := range htmlScripts() {
		script.WriteString("\n" + htmlFile(name))
	}
	return script.String()
}

func htmlFile(name string) string {
	data, err := htmlFiles.ReadFile("html/" + name)
	if err != nil {
		panic("reports: " + err.Error()) // it is embedded
	}
	return string(data)
}

// htmlHash returns the hash of a style or script for a Content-Security-Policy.
func htmlHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
