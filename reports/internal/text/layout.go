package text

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

const (
	// lineWidth is the width of a line in runes, where no terminal is narrower.
	lineWidth = 100
	// leastLineWidth is the width of a line in a terminal that has less: there, lines break anyway.
	leastLineWidth = 60
	// endWidth is the width of the last lines of a report, which everybody looks at.
	endWidth = 80
	// hanging is the indentation of wrapped text from outside. It is larger than that of all lines
	// of a report, so wrapped text cannot look like such a line.
	hanging = 8
)

// painter colours text for a terminal, or does nothing.
type painter bool

func (p painter) bold(s string) string   { return p.with(plaintext.Bold, s) }
func (p painter) dim(s string) string    { return p.with(plaintext.Dim, s) }
func (p painter) red(s string) string    { return p.with(plaintext.Red, s) }
func (p painter) green(s string) string  { return p.with(plaintext.Green, s) }
func (p painter) yellow(s string) string { return p.with(plaintext.Yellow, s) }

// sign colours the sign of a row.
func (p painter) sign(sign string) string {
	switch sign {
	case "✗":
		return p.red(sign)
	case "!":
		return p.yellow(sign)
	case "-":
		return p.dim(sign)
	}
	return p.green(sign)
}

func (p painter) with(style plaintext.Style, s string) string {
	if !p || s == "" {
		return s
	}
	return style.On(s)
}

// paragraph returns a text as lines. The first line follows head, which may be coloured; the
// others are indented. Line breaks of the text itself are marked by a gutter.
func (t *text) paragraph(head string, indent int, text string) string {
	var out strings.Builder
	out.WriteString(head)
	newLine := "\n" + strings.Repeat(" ", indent)
	first := t.width - headWidth(head)
	for i, given := range plaintext.Lines(strings.TrimSpace(text)) {
		if i == 1 {
			newLine += plaintext.Gutter
			indent += len(plaintext.Gutter)
		}
		if i > 0 {
			out.WriteString(newLine)
			first = t.width - indent
		}
		runes := []rune(given)
		for j, part := range sidebyside.Wrap(runes, first, t.width-indent) {
			if j > 0 {
				out.WriteString(newLine)
			}
			out.WriteString(strings.TrimRight(string(runes[part.Start:part.End]), " "))
		}
	}
	return out.String() + "\n"
}

// headWidth returns how many runes of a head a terminal shows, without colours.
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

// rest returns the line that ends an incomplete list, or "".
func rest(more int) string {
	if more == 0 {
		return ""
	}
	return "  " + plaintext.More(more) + "; -o json=FILE keeps all\n"
}

// shortBlock returns the lines about a case, up to a limit.
func shortBlock(drawn string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(drawn, "\n"), "\n")
	if len(lines) <= plaintext.MaxBlock {
		return drawn
	}
	return strings.Join(lines[:plaintext.MaxBlock], "") +
		fmt.Sprintf("    %s lines about this case; -o json=FILE keeps all\n", plaintext.More(len(lines)-plaintext.MaxBlock))
}
