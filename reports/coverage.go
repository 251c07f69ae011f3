package reports

import (
	"encoding/json"
	"html/template"
	"io"
	"strings"

	"github.com/diffrun/diffrun/internal/coverage"
)

// Coverage says what the cases of a run do not prove. "diffrun run --coverage" makes one, and
// Play reads it from the report of such a run. The formats json and jsonl record it; markdown
// and html show it.
type Coverage interface {
	// MarshalJSON gives it as a report records it.
	MarshalJSON() ([]byte, error)
	// MarkdownPart writes it in at most so many bytes, as far as that is possible.
	MarkdownPart(w io.Writer, most int) error
	// HTMLPart writes it as a part of a page. Text that others wrote must be escaped.
	HTMLPart(w io.Writer) error
}

// coverageObject is a Coverage that can be read again.
type coverageObject struct{ Coverage }

func newCoverageObject(c Coverage) *coverageObject {
	if c == nil {
		return nil
	}
	return &coverageObject{c}
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *coverageObject) UnmarshalJSON(data []byte) error {
	var read coverage.Report
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	c.Coverage = read
	return nil
}

// coverage gives what was recorded; nil: nothing.
func (c *coverageObject) coverage() Coverage {
	if c == nil {
		return nil
	}
	return c.Coverage
}

// coverageTitle is the heading of what the cases do not prove.
const coverageTitle = "What the cases do not prove"

// drawCoverage adds the coverage, if there is room for it.
func (m *markdown) drawCoverage(page *markdownPage, c Coverage) error {
	if c == nil {
		return nil
	}
	heading, small := "### "+coverageTitle+"\n\n", "\nThe coverage does not fit here; the other formats have it.\n\n"
	var part strings.Builder
	if err := c.MarkdownPart(&part, page.left-len(heading)-len(small)); err != nil {
		return err
	}
	if !page.add(heading + part.String() + "\n") {
		page.add(small)
	}
	return nil
}

// newCoverage gives the section of the page.
func newCoverage(c Coverage) (template.HTML, error) {
	if c == nil {
		return "", nil
	}
	var part strings.Builder
	err := c.HTMLPart(&part)
	return template.HTML(part.String()), err
}
