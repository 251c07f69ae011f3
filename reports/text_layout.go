package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// lineWidth is where long texts wrap, in runes.
	lineWidth = 100
	// leastTextWidth is what a text gets however far right it begins.
	leastTextWidth = 40
)

// painter colours text for a terminal, or leaves it as it is.
type painter bool

func (p painter) bold(s string) string   { return p.with("1", s) }
func (p painter) dim(s string) string    { return p.with("2", s) }
func (p painter) red(s string) string    { return p.with("31", s) }
func (p painter) green(s string) string  { return p.with("32", s) }
func (p painter) yellow(s string) string { return p.with("33", s) }

func (p painter) with(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// paragraph gives text of any length as lines: the first after head, which may
// be coloured, the others indented. Line breaks of the text stay; all else that
// a terminal would act on is made visible.
func paragraph(head string, indent int, text string) string {
	var out strings.Builder
	out.WriteString(head)
	newLine := "\n" + strings.Repeat(" ", indent)
	first := lineWidth - headWidth(head)
	for i, given := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i > 0 {
			out.WriteString(newLine)
			first = lineWidth - indent
		}
		runes := []rune(visible(given))
		for j, part := range wrap(runes, first, lineWidth-indent) {
			if j > 0 {
				out.WriteString(newLine)
			}
			out.WriteString(string(runes[part.start:part.end]))
		}
	}
	return out.String() + "\n"
}

// headWidth is how many runes of a head a terminal shows: not its colours.
func headWidth(head string) int {
	width, inColor := 0, false
	for _, r := range head {
		switch {
		case r == '\x1b':
			inColor = true
		case inColor:
			inColor = r != 'm'
		default:
			width++
		}
	}
	return width
}

// wrap cuts a text into parts that are at most so many runes long, the first
// one and the others, at a space where there is one in the latter half. An
// empty text is one empty part.
func wrap(text []rune, first, others int) []span {
	var parts []span
	start, width := 0, max(first, leastTextWidth)
	for len(text)-start > width {
		end, next := start+width, start+width
		for at := end; at > start+width/2; at-- {
			if text[at] == ' ' {
				end, next = at, at+1
				break
			}
		}
		parts = append(parts, span{start, end})
		start, width = next, max(others, leastTextWidth)
	}
	return append(parts, span{start, len(text)})
}

// visible escapes what is not printable, so that no message of a validator can
// break the lines of a report or steer a terminal.
func visible(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r == utf8.RuneError || unicode.IsPrint(r):
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r < 0x100:
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// pad fills a text up to a width in runes.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func widest(texts []string) int {
	width := 0
	for _, text := range texts {
		width = max(width, utf8.RuneCountInString(text))
	}
	return width
}

// count gives a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
