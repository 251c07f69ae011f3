package plaintext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line gives a text on one line of printable characters: others, and what is a command
// for those who read logs, are escaped as in a string of Go. Behind MaxText bytes it says how many there are more.
func Line(text string) string { return Cut(text, MaxText) }

// Escape is Line without a bound, for texts that others show a part of.
func Escape(text string) string { return Cut(text, math.MaxInt/2) }

// Lines gives the lines of a text, each as Line does. Where there are several, each is
// cut at MaxLine bytes, and after MaxLines of them the last line says how many bytes
// there are more. Empty lines at the end are left out.
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

// Cut gives a text on one line, as Line does, with a bound of its own.
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

// isPlain says that there is nothing to escape.
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

// printable says that a character shows as itself and moves nothing else. Those that
// Unicode lets a font ignore do not show: text could be hidden in them.
func printable(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r < 0x7f
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// isBroken says that a text begins with a byte that is not UTF-8, as which r was read.
func isBroken(r rune, text string) bool {
	if r != utf8.RuneError {
		return false
	}
	_, size := utf8.DecodeRuneInString(text)
	return size == 1
}

// escaped gives a character, which stands as some bytes, so that it can be shown.
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
