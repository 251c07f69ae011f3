package reports

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/plaintext"
)

// valueWidth is how much of a bad value is shown; all of it is in the formats
// for programs.
const valueWidth = 48

// drawPair shows both errors of a difference one under the other, and under
// them a line of tildes where they part.
func (t *text) drawPair(pair equivalence.Pair) string {
	var out strings.Builder
	heading := "    " + t.paint.yellow(string(pair.Class))
	samePlace := pair.Native == nil || pair.Declarative == nil || pair.Native.Field == pair.Declarative.Field
	if samePlace {
		heading += "  " + pairPlace(pair)
	}
	if often := pair.Frequency(); often != "" {
		heading += "  " + often
	}
	if pair.Exception != nil {
		heading += "  " + t.paint.dim("accepted by "+name(pair.Exception.ID))
	}
	out.WriteString(heading + "\n")
	native, declarative := columns(pair)
	switch {
	case samePlace:
		t.drawSides(&out, native, declarative)
	case slices.Equal(native, declarative):
		t.drawSides(&out, []string{errorPlace(pair.Native)}, []string{place(pair.Declarative.Field)})
		t.drawLines(&out, side{"both", plain(native)}.lines(columnWidths(native, nil)))
	default:
		t.drawSides(&out, []string{errorPlace(pair.Native)}, []string{place(pair.Declarative.Field)})
		t.drawSides(&out, native, declarative)
	}
	return out.String()
}

// drawSides draws two errors so that their columns stand under each other.
func (t *text) drawSides(out *strings.Builder, native, declarative []string) {
	nativeCells, declarativeCells := compared(native, declarative)
	widths := columnWidths(native, declarative)
	above := side{"native", nativeCells}.lines(widths)
	below := side{"declarative", declarativeCells}.lines(widths)
	if len(above) == 1 && len(below) == 1 && above[0].marks.lineUp(below[0].marks) {
		below[0].marks = append(below[0].marks, above[0].marks...)
		above[0].marks = nil
	}
	t.drawLines(out, above)
	t.drawLines(out, below)
}

func (t *text) drawLines(out *strings.Builder, lines []line) {
	for _, line := range lines {
		out.WriteString(strings.TrimRight(line.text, " ") + "\n")
		if marks := line.marks.String(); marks != "" {
			out.WriteString(t.paint.red(marks) + "\n")
		}
	}
}

// place names a field; an error may have none.
func place(path string) string {
	if path == "" {
		return "(no field)"
	}
	return name(path)
}

// errorPlace names the field of an error. Where the validator gave a text for people,
// the lack of one is nothing that it said about the object.
func errorPlace(err *field.Error) string {
	if err.Field == "" && equivalence.NamesNoField(err) {
		return "(no field: its text names none)"
	}
	return place(err.Field)
}

// pairPlace is where both errors of a pair are, or the only one.
func pairPlace(pair equivalence.Pair) string {
	if pair.Declarative == nil {
		return errorPlace(pair.Native)
	}
	return place(pair.Field())
}

// columns gives type, bad value and detail of both errors; nil for a side that
// has none. The value is left out of errors that are not about it, unless it
// is all that differs.
func columns(pair equivalence.Pair) (native, declarative []string) {
	if pair.Native == nil || pair.Declarative == nil {
		return errorColumns(pair.Native), errorColumns(pair.Declarative)
	}
	alike := alike(pair.Native.Detail, pair.Declarative.Detail)
	native, declarative = errorColumns(from(pair.Native, alike)), errorColumns(from(pair.Declarative, alike))
	if pair.Class == equivalence.Detail && pair.Native.Detail == pair.Declarative.Detail {
		native[1], declarative[1] = shownValue(pair.Native), shownValue(pair.Declarative)
	}
	return native, declarative
}

func errorColumns(err *field.Error) []string {
	if err == nil {
		return nil
	}
	value := ""
	if plaintext.IsAboutValue(err.Type) {
		value = shownValue(err)
	}
	return []string{name(string(err.Type)), value, plaintext.Line(err.Detail)}
}

// alike says how much of two texts is left out before the place where they part: nothing
// unless that is so far behind that it would not be shown.
func alike(a, b string) int {
	const context = 100 // bytes that are shown before that place
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	if a == b || common < plaintext.MaxText/2 || max(len(a), len(b)) <= plaintext.MaxText {
		return 0
	}
	common -= context
	for common > 0 && !utf8.RuneStart(a[common]) {
		common--
	}
	return common
}

// from gives an error whose detail leaves out what the other side says as well.
func from(err *field.Error, alike int) *field.Error {
	if alike == 0 {
		return err
	}
	shown := *err
	shown.Detail = fmt.Sprintf("(%d bytes alike) …%s", alike, err.Detail[alike:])
	return &shown
}

func shownValue(err *field.Error) string {
	encoded := string(plaintext.BadValue(err.BadValue))
	if encoded == "null" { // it is left out, or nothing
		return ""
	}
	value := []rune(plaintext.Escape(encoded))
	if len(value) <= valueWidth {
		return string(value)
	}
	return fmt.Sprintf("%s…(%d more)", string(value[:valueWidth]), len(value)-valueWidth)
}
