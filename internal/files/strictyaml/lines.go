package strictyaml

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// byteOrderMark begins files of some editors. YAML allows it there and nowhere else.
const byteOrderMark = "\ufeff"

// CutMark cuts off the byte order mark of a file.
func CutMark(data []byte) (mark string, rest []byte) {
	if rest, has := bytes.CutPrefix(data, []byte(byteOrderMark)); has {
		return byteOrderMark, rest
	}
	return "", data
}

// lineEnd matches a line break of YAML, which determines line numbers.
var lineEnd = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]")

// SplitLines cuts a text after each line break. The last line may have none, and may be empty.
func SplitLines(text string) []string {
	var lines []string
	begin := 0
	for _, at := range lineEnd.FindAllStringIndex(text, -1) {
		lines = append(lines, text[begin:at[1]])
		begin = at[1]
	}
	return append(lines, text[begin:])
}

// LineEnd returns the line break at the end of a line, or "".
func LineEnd(line string) string { return lineEnd.FindString(line) }

// IsBlank reports whether a line has only white space.
func IsBlank(line string) bool { return strings.TrimSpace(line) == "" }

// IsComment reports whether a line has only a comment.
func IsComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

// IsEmpty reports whether a file has nothing but comments.
func IsEmpty(data []byte) bool {
	_, data = CutMark(data)
	return !slices.ContainsFunc(SplitLines(string(data)), func(line string) bool { return !IsBlank(line) && !IsComment(line) })
}
