package markdown

import "strings"

// Table is a table with a header.
type Table struct {
	Line    int
	Heading string // above the table
	Columns []string
	Rows    []Row
}

// Row is a row of a table. Its cells are keyed by column.
type Row struct {
	Line  int
	Cells map[string]string
}

// table reads the table that begins at line i, and returns the line after it.
func (p *Page) table(lines []string, i int) int {
	table := Table{Line: i + 1, Columns: cells(lines[i])}
	if len(p.Headings) > 0 {
		table.Heading = p.Headings[len(p.Headings)-1].Text
	}
	p.running(lines[i], i+1)
	for i++; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
		values := cells(lines[i])
		if strings.Trim(strings.Join(values, ""), "-: ") == "" {
			continue // the line below the header
		}
		p.running(lines[i], i+1)
		row := Row{Line: i + 1, Cells: map[string]string{}}
		for c, value := range values {
			if c < len(table.Columns) {
				row.Cells[table.Columns[c]] = value
			}
		}
		table.Rows = append(table.Rows, row)
	}
	p.Tables = append(p.Tables, table)
	return i
}

// cells returns the cells of a row. A "|" inside a cell is written "\|".
func cells(row string) []string {
	const bar = "\x00"
	row = strings.ReplaceAll(strings.Trim(row, " "), `\|`, bar)
	values := strings.Split(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"), "|")
	for i, value := range values {
		values[i] = strings.ReplaceAll(strings.TrimSpace(value), bar, "|")
	}
	return values
}

// Plain returns a cell without backticks.
func Plain(cell string) string { return strings.ReplaceAll(cell, "`", "") }
