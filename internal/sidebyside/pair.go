// Package sidebyside formats the two errors of a difference for people: one below the other, in columns,
// with tildes below the words that differ. The reports and failing tests use it.
package sidebyside

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/equivalence"
)

// Line is a line of text, and the tildes to show below it. They are empty if nothing is marked.
type Line struct{ Text, Marks string }

// AtOnePlace reports whether the errors of a pair have the same field, or one side has no error. Pair omits
// the field of such a pair: the heading has it.
func AtOnePlace(pair equivalence.Pair) bool {
	return pair.Native == nil || pair.Declarative == nil || pair.Native.Field == pair.Declarative.Field
}

// Pair returns the errors of a pair in lines of a width in runes, below the names of both sides. Errors that
// differ only in their field are shown once.
func Pair(first, second string, pair equivalence.Pair, width int) []Line {
	native, declarative := Columns(pair)
	if AtOnePlace(pair) {
		return Both(first, second, native, declarative, width)
	}
	places := Both(first, second, []string{ErrorPlace(pair.Native)}, []string{Place(pair.Declarative.Field)}, width)
	if slices.Equal(native, declarative) {
		return append(places, drawn(side{"both", labelWidth(first, second), plain(native)}.lines(columnWidths(native, nil), width))...)
	}
	return append(places, Both(first, second, native, declarative, width)...)
}

// Both returns two errors with aligned columns. Columns are nil for a side without an error.
func Both(first, second string, native, declarative []string, width int) []Line {
	nativeCells, declarativeCells := Compare(native, declarative)
	widths := columnWidths(native, declarative)
	label := labelWidth(first, second)
	above := side{first, label, nativeCells}.lines(widths, width)
	below := side{second, label, declarativeCells}.lines(widths, width)
	if len(above) == 1 && len(below) == 1 && above[0].marks.lineUp(below[0].marks) {
		below[0].marks = append(below[0].marks, above[0].marks...)
		above[0].marks = nil
	}
	return drawn(append(above, below...))
}

// Declared returns a place that declares an error in lines, below the labels of both sides.
func Declared(first, second, place string, width int) []Line {
	return drawn(side{declaredLabel, labelWidth(first, second), plain([]string{place})}.lines([]int{width}, width))
}

func drawn(lines []line) []Line {
	all := make([]Line, len(lines))
	for i, line := range lines {
		all[i] = Line{strings.TrimRight(line.text, " "), line.marks.String()}
	}
	return all
}

// pad fills a text up to a width in runes.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
