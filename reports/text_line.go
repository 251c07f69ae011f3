package reports

import (
	"slices"
	"strings"
)

// side is one error on its way to the terminal: a label and columns.
type side struct {
	label string
	cells []cell
}

// cell is a column of a side, and where it differs from the other side's.
type cell struct {
	text    string
	differs []span
}

// span is a range of runes, the end excluded.
type span struct{ start, end int }

// line is a line of a report and what to mark in it.
type line struct {
	text  string
	marks marks
}

// noError stands for the error of a side that has none.
const noError = "no such error"

const (
	sideIndent = 6
	labelWidth = len("declarative") + 2
)

// lines lays a side out: its columns at the given widths, the last one wrapped
// under itself, or below the others where they leave it too little room. A
// side without cells says that it has no error.
func (s side) lines(widths []int) []line {
	head := strings.Repeat(" ", sideIndent) + pad(s.label, labelWidth)
	if s.cells == nil {
		return []line{{text: head + noError}}
	}
	below := crowded(widths)
	var headMarks marks
	last := len(s.cells) - 1
	for i, cell := range s.cells[:last] {
		width := widths[i]
		if width == 0 {
			continue
		}
		headMarks.add(len([]rune(head)), cell.differs...)
		head += pad(cell.text, width) + "  "
	}
	if below {
		indent := strings.Repeat(" ", sideIndent+labelWidth)
		return append([]line{{text: head, marks: headMarks}}, wrapCell(indent, nil, s.cells[last])...)
	}
	return wrapCell(head, headMarks, s.cells[last])
}

// crowded says whether the last of some columns does not fit beside the others
// and would get a narrow strip.
func crowded(widths []int) bool {
	before := sideIndent + labelWidth
	for _, width := range widths[:len(widths)-1] {
		before += width + 2
	}
	return before+widths[len(widths)-1] > lineWidth && before > lineWidth/2
}

// wrapCell appends a column to a line and goes on below it where the text does
// not fit.
func wrapCell(head string, headMarks marks, last cell) []line {
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

// marks are the columns of a line that get a tilde below them.
type marks []span

// add marks spans of a text that begins at a column. An empty one marks
// nothing: the other side has the text that is missing here.
func (m *marks) add(column int, spans ...span) {
	for _, s := range spans {
		if s.start < s.end {
			*m = append(*m, span{column + s.start, column + s.end})
		}
	}
}

// lineUp says whether one row of tildes can serve two lines: the same columns
// begin to differ, or only one of the lines has something to mark.
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

// plain are cells that differ from nothing.
func plain(texts []string) []cell {
	var cells []cell
	for _, text := range texts {
		cells = append(cells, cell{text: text})
	}
	return cells
}

// compared are the cells of both sides with what differs marked. Where one
// side has no error there is nothing to compare.
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

// columnWidths are the widths at which the columns of both sides line up.
func columnWidths(native, declarative []string) []int {
	widths := make([]int, max(len(native), len(declarative)))
	for _, texts := range [][]string{native, declarative} {
		for i, text := range texts {
			widths[i] = max(widths[i], len([]rune(text)))
		}
	}
	return widths
}
