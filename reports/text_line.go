package reports

import (
	"slices"
	"strings"
)

// side is one error for display: a label and columns.
type side struct {
	label string
	cells []cell
}

// cell is a column of a side, and the spans that differ from the other side.
type cell struct {
	text    string
	differs []span
}

// span is a range of runes without its end.
type span struct{ start, end int }

// line is a line of a report and what to mark in it.
type line struct {
	text  string
	marks marks
}

// noError is shown for a side without an error.
const noError = "no such error"

const (
	sideIndent = 6
	labelWidth = len("declarative") + 2
)

// lines formats a side in lines of a width. Columns have the given widths. The last one wraps below itself, or below
// the others if its room is too narrow. A side without cells has no error.
func (s side) lines(widths []int, width int) []line {
	head := strings.Repeat(" ", sideIndent) + pad(s.label, labelWidth)
	if s.cells == nil {
		return []line{{text: head + noError}}
	}
	below := crowded(widths, width)
	var headMarks marks
	last := len(s.cells) - 1
	for i, cell := range s.cells[:last] {
		if widths[i] == 0 {
			continue
		}
		headMarks.add(len([]rune(head)), cell.differs...)
		head += pad(cell.text, widths[i]) + "  "
	}
	if below {
		indent := strings.Repeat(" ", sideIndent+labelWidth)
		return append([]line{{text: head, marks: headMarks}}, wrapCell(indent, nil, s.cells[last], width)...)
	}
	return wrapCell(head, headMarks, s.cells[last], width)
}

// crowded reports whether the last column would be too narrow beside the others.
func crowded(widths []int, lineWidth int) bool {
	before := sideIndent + labelWidth
	for _, width := range widths[:len(widths)-1] {
		before += width + 2
	}
	return before+widths[len(widths)-1] > lineWidth && before > lineWidth/2
}

// wrapCell appends a column to a line, and continues below it if the text does not fit.
func wrapCell(head string, headMarks marks, last cell, lineWidth int) []line {
	indent := len([]rune(head))
	runes := []rune(last.text)
	var lines []line
	for _, part := range wrap(runes, lineWidth-indent, lineWidth-indent) {
		next := line{text: head + string(runes[part.start:part.end]), marks: headMarks}
		for _, differs := range last.differs {
			next.marks.add(indent, span{max(differs.start, part.start) - part.start, min(differs.end, part.end) - part.start})
		}
		lines = append(lines, next)
		head, headMarks = strings.Repeat(" ", indent), nil
	}
	return lines
}

// marks are the columns of a line to mark with tildes.
type marks []span

// add marks spans of a text that begins at a column. An empty span marks nothing: the text is
// missing on this side.
func (m *marks) add(column int, spans ...span) {
	for _, s := range spans {
		if s.start < s.end {
			*m = append(*m, span{column + s.start, column + s.end})
		}
	}
}

// lineUp reports whether one row of tildes can mark two lines: the same columns begin to differ,
// or only one line has marks.
func (m marks) lineUp(other marks) bool {
	if len(m) == 0 || len(other) == 0 {
		return true
	}
	return slices.EqualFunc(m, other, func(a, b span) bool { return a.start == b.start })
}

func (m marks) String() string {
	width := 0
	for _, marked := range m {
		width = max(width, marked.end)
	}
	row := []rune(strings.Repeat(" ", width))
	for _, marked := range m {
		for i := marked.start; i < marked.end; i++ {
			row[i] = '~'
		}
	}
	return string(row)
}

// plain returns cells without marks.
func plain(texts []string) []cell {
	var cells []cell
	for _, text := range texts {
		cells = append(cells, cell{text: text})
	}
	return cells
}

// compared returns the cells of both sides with their differences marked. If one side has no
// error, nothing is marked.
func compared(native, declarative []string) (a, b []cell) {
	a, b = plain(native), plain(declarative)
	if native == nil || declarative == nil {
		return a, b
	}
	for i := range a {
		a[i].differs, b[i].differs = changedWords(native[i], declarative[i])
	}
	return a, b
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
