package equivalence

import (
	"bytes"
	"regexp"
	"strings"
)

// byteOrderMark begins files of some editors. YAML allows it there and nowhere else.
const byteOrderMark = "\ufeff"

// cutMark cuts off the byte order mark of a file.
func cutMark(data []byte) (mark string, rest []byte) {
	if rest, has := bytes.CutPrefix(data, []byte(byteOrderMark)); has {
		return byteOrderMark, rest
	}
	return "", data
}

// lineEnd matches what ends a line in YAML, which counts lines by it.
var lineEnd = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]")

// splitLines cuts a text behind the end of each line. The last line may have none, and be empty.
func splitLines(text string) []string {
	var lines []string
	begin := 0
	for _, at := range lineEnd.FindAllStringIndex(text, -1) {
		lines = append(lines, text[begin:at[1]])
		begin = at[1]
	}
	return append(lines, text[begin:])
}

// endOfLines returns what ends the lines of a file: that of the first one.
func endOfLines(lines []string) string {
	if end := lineEnd.FindString(lines[0]); end == "\r\n" || end == "\r" {
		return end
	}
	return "\n"
}

// inFile returns a text of lines as a file has it: each begins with so many spaces, and ends as the others.
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
