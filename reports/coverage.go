package reports

import (
	"encoding/json"
	"io"

	"github.com/diffrun/diffrun/internal/coverage"
)

// Coverage lists what the cases of a run do not test. "diffrun run --coverage" creates it, and
// Play reads it from the report of such a run. The formats json and jsonl record it; markdown and
// html show it.
type Coverage interface {
	// MarshalJSON returns the form that reports record.
	MarshalJSON() ([]byte, error)
	// MarkdownPart writes it as Markdown, in at most that many bytes if possible.
	MarkdownPart(w io.Writer, most int) error
	// HTMLPart writes it as a part of a page. It must escape text from outside.
	HTMLPart(w io.Writer) error
}

// coverageObject is a Coverage that can be decoded again.
type coverageObject struct{ Coverage }

func newCoverageObject(c Coverage) *coverageObject {
	if c == nil {
		return nil
	}
	return &coverageObject{c}
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (c *coverageObject) UnmarshalJSON(data []byte) error {
	var read coverage.Report
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	c.Coverage = read
	return nil
}

// coverage returns what was recorded, or nil.
func (c *coverageObject) coverage() Coverage {
	if c == nil {
		return nil
	}
	return c.Coverage
}
