// Package markdown reads the pages of the documentation, for the tests that hold them
// against the program.
//
// In goes a Markdown file; out comes a [Page] with what a test can check: code blocks,
// tables, links and headings, each with its line. It reads the part of Markdown that the
// pages use, and renders nothing.
package markdown
