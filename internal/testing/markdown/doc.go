// Package markdown reads the pages of the documentation, for the tests that compare them with the
// program.
//
// It turns a Markdown file into a [Page] with what a test can check: code blocks, tables, links and
// headings, each with its line. It reads the part of Markdown that the pages use, and renders
// nothing.
package markdown
