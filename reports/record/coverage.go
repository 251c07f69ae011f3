package record

import "io"

// Coverage lists what the cases of a run do not test. "diffrun run --coverage" creates it, and
// reports.Play reads it from the report of such a run. The formats json and jsonl record it; markdown and
// html show it.
type Coverage interface {
	// MarshalJSON returns the form that reports
	MarshalJSON() ([]byte, error)
	// MarkdownPart writes it as Markdown, in at most that many bytes if possible.
	MarkdownPart(w io.Writer, most int) error
	// HTMLPart writes it as a part of a page. It must escape text from outside.
	HTMLPart(w io.Writer) error
}
