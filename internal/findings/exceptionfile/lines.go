package exceptionfile

import (
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// endOfLines returns the line ending of a file: that of its first line.
func endOfLines(lines []string) string {
	if end := strictyaml.LineEnd(lines[0]); end == "\r\n" || end == "\r" {
		return end
	}
	return "\n"
}

// inFile returns a text with the indentation and the line ending of a file.
func inFile(text string, indent int, end string) string {
	var written strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" {
			written.WriteString(strings.Repeat(" ", indent))
		}
		written.WriteString(line + end)
	}
	return written.String()
}
