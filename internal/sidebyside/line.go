package sidebyside

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// side is one error for display: a label in a column of a width, and columns.
type side struct {
	label string
	width int
	cells []Cell
}

// line is a line of text and its marked parts.
type line struct {
	text  string
	marks marks
}

const sideIndent = 6

// shortLabel is the number of characters of a short label. All short ones share a width, so that the differences of several
// suites line up.
const shortLabel = len("declarative")

// declaredLabel is the label of a text about both sides: the place that declares an error.
const declaredLabel = "declared"

// labelWidth returns the width of the column with the labels of two sides.
func labelWidth(first, second string) int {
	return max(utf8.RuneCountInString(first), utf8.RuneCountInString(second), shortLabel) + 2
}

// lines formats a side in lines of a width. Columns have the given widths. The last one wraps below itself, or below
// the others if its room is too narrow. A side without cells has no error.
func (s side) lines(widths []int, width int) []line {
	before := sideIndent + s.width
	head := strings.Repeat(" ", sideIndent) + pad(s.label, s.width)
	if s.cells == nil {
		return []line{{text: head + NoError}}
	}
	below := crowded(before, widths, width)
	var headMarks marks
	last := len(s.cells) - 1
	for i, cell := range s.cells[:last] {
		if widths[i] == 0 {
			continue
		}
		headMarks.add(len([]rune(head)), cell.Differs...)
		head += pad(cell.Text, widths[i]) + "  "
	}
	if below {
		indent := strings.Repeat(" ", before)
		return append([]line{{text: head, marks: headMarks}}, wrapCell(indent, nil, s.cells[last], width)...)
	}
	return wrapCell(head, headMarks, s.cells[last], width)
}

// crowded reports whether the last column would be too narrow beside the others, which begin at a column.
func crowded(before int, widths []int, lineWidth int) bool {
	for _, width := range widths[:len(widths)-1] {
		before += width + 2
	}
	return before+widths[len(widths)-1] > lineWidth && before > lineWidth/2
}

// wrapCell appends a column to a line, and continues below it if the text does not fit.
func wrapCell(head string, headMarks marks, last Cell, lineWidth int) []line {
	indent := len([]rune(head))
	runes := []rune(last.Text)
	var lines []line
	for _, part := range Wrap(runes, lineWidth-indent, lineWidth-indent) {
		next := line{text: head + string(runes[part.Start:part.End]), marks: headMarks}
		for _, differs := range last.Differs {
			next.marks.add(indent, Span{Start: max(differs.Start, part.Start) - part.Start, End: min(differs.End, part.End) - part.Start})
		}
		lines = append(lines, next)
		head, headMarks = strings.Repeat(" ", indent), nil
	}
	return lines
}

// marks are the columns of a line to mark with tildes.
type marks []Span

// add marks spans of a text that begins at a column. An empty span marks nothing: the text is
// missing on this side.
func (m *marks) add(column int, spans ...Span) {
	for _, s := range spans {
		if s.Start < s.End {
			*m = append(*m, Span{Start: column + s.Start, End: column + s.End})
		}
	}
}

// lineUp reports whether one row of tildes can mark two lines: the same columns begin to differ,
// or only one line has marks.
func (m marks) lineUp(other marks) bool {
	if len(m) == 0 || len(other) == 0 {
		return true
	}
	return slices.EqualFunc(m, other, func(a, b Span) bool { return a.Start == b.Start })
}

func (m marks) String() string {
	width := 0
	for _, marked := range m {
		width = max(width, marked.End)
	}
	row := []rune(strings.Repeat(" ", width))
	for _, marked := range m {
		for i := marked.Start; i < marked.End; i++ {
			row[i] = '~'
		}
	}
	return string(row)
}

// columnWidths returns the widths that align the columns of both sides.
func columnWidths(native, declarative []string) []int {
	widths := make([]int, max(len(native), len(declarative)))
	for _, texts := range [][]string{native, declarative} {
		for i, text := range texts {
			widths[i] = max(widths[i], len([]rune(text)))
		}
	}
	return widths
}

// leastTextWidth is the minimum width of a text, however far to the right it begins.
const leastTextWidth = 40

// Wrap splits a text into parts of at most that many runes: first for the first part, others for
// the rest. It splits at a space in the second half of a part if there is one. An empty text is
// one empty part.
func Wrap(text []rune, first, others int) []Span {
	var parts []Span
	start, width := 0, max(first, leastTextWidth)
	for len(text)-start > width {
		end, next := start+width, start+width
		for at := end; at > start+width/2; at-- {
			if text[at] == ' ' {
				end, next = at, at+1
				break
			}
		}
		for next < len(text) && text[next] == ' ' {
			next++
		}
		parts = append(parts, Span{Start: start, End: end})
		start, width = next, max(others, leastTextWidth)
	}
	return append(parts, Span{Start: start, End: len(text)})
}
