package plaintext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text on one line of printable characters. Other characters, and commands of CI systems, are
// escaped as in a Go string. After MaxText bytes it says how many more there are.
func Line(text string) string { return Cut(text, MaxText) }

// Escape is Line without a limit.
func Escape(text string) string { return Cut(text, math.MaxInt/2) }

// Lines returns the lines of a text, each as Line does. If there are several, each is cut at MaxLine bytes,
// and after MaxLines lines the last one says how many more bytes there are. Empty lines at the end are left
// out.
func Lines(text string) []string {
	text = strings.TrimRight(text, "\r\n")
	if !strings.Contains(text, "\n") {
		return []string{Line(text)}
	}
	var lines []string
	for rest, more := text, true; more; {
		if len(lines) == MaxLines {
			return append(lines, moreBytes(len(rest)))
		}
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		lines = append(lines, Cut(strings.TrimSuffix(line, "\r"), MaxLine))
	}
	return lines
}

// Cut returns a text on one line, as Line does, with another limit.
func Cut(text string, bound int) string {
	if len(text) <= slack(bound) && isPlain(text) {
		return text
	}
	var out strings.Builder
	read, written := 0, 0 // how far each was within the bound
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if beginsCommand(text[at:]) {
			out.WriteString(`\x23`)
		} else {
			out.WriteString(escaped(r, text[at:at+size]))
		}
		if at += size; out.Len() <= bound {
			read, written = at, out.Len()
		}
		if out.Len() > slack(bound) {
			return out.String()[:written] + moreBytes(len(text)-read)
		}
	}
	return out.String()
}

func moreBytes(n int) string { return fmt.Sprintf("… %d more bytes", n) }

// isPlain reports whether there is nothing to escape.
func isPlain(text string) bool {
	if strings.Contains(text, commandMark) {
		return false // perhaps
	}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return isPlainUnicode(text[i:])
		}
		if text[i] < ' ' || text[i] == 0x7f {
			return false
		}
	}
	return true
}

func isPlainUnicode(text string) bool {
	for i, r := range text {
		if !printable(r) || isBroken(r, text[i:]) {
			return false
		}
	}
	return true
}

// printable reports whether a character is visible and moves no other characters. Characters that a font may
// ignore by Unicode are not printable, because they can hide text.
func printable(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r < 0x7f
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// isBroken reports whether a text begins with a byte that is not UTF-8, which was decoded as r.
func isBroken(r rune, text string) bool {
	if r != utf8.RuneError {
		return false
	}
	_, size := utf8.DecodeRuneInString(text)
	return size == 1
}

// escaped returns the escape of a character, given with its bytes.
func escaped(r rune, bytes string) string {
	switch {
	case isBroken(r, bytes):
		return fmt.Sprintf(`\x%02x`, bytes[0])
	case printable(r):
		return bytes
	case unicode.IsPrint(r): // which strconv shows
		return fmt.Sprintf(`\u%04x`, r)
	}
	quoted := strconv.QuoteRune(r)
	return quoted[1 : len(quoted)-1]
}
