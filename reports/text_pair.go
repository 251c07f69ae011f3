package reports

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// valueWidth limits a bad value. The formats for programs have all of it.
const valueWidth = 48

// drawPair shows both errors of a difference, one below the other, with a line of tildes below the
// parts that differ.
func (t *text) drawPair(r harness.Result, pair equivalence.Pair) string {
	sides := r.Sides
	var out strings.Builder
	heading := "    " + t.paint.yellow(string(pair.Class))
	samePlace := pair.Native == nil || pair.Declarative == nil || pair.Native.Field == pair.Declarative.Field
	if samePlace {
		heading += "  " + pairPlace(pair)
	}
	if often := pair.Frequency(); often != "" {
		heading += "  " + often
	}
	if pair.Class.Explained() {
		heading += "  " + t.paint.dim("explained: the value did not change")
	}
	if pair.Exception != nil {
		heading += "  " + t.paint.dim("accepted by "+name(pair.Exception.ID))
	}
	if t.table.gate.Fails(r) && t.table.gate.Differs(pair) && t.table.gate.Allows(r, pair) {
		heading += "  " + t.paint.dim("allowed by "+gateFlag(t.table.gate)) // the block is about what is not
	}
	out.WriteString(heading + "\n")
	native, declarative := columns(pair)
	switch {
	case samePlace:
		t.drawSides(&out, sides, native, declarative)
	case slices.Equal(native, declarative):
		t.drawSides(&out, sides, []string{errorPlace(pair.Native)}, []string{place(pair.Declarative.Field)})
		t.drawLines(&out, side{"both", plain(native)}.lines(columnWidths(native, nil), t.width))
	default:
		t.drawSides(&out, sides, []string{errorPlace(pair.Native)}, []string{place(pair.Declarative.Field)})
		t.drawSides(&out, sides, native, declarative)
	}
	if t.options.Verbose {
		for _, one := range pair.Declared {
			t.drawLines(&out, side{"declared", plain([]string{declaredText(one)})}.lines([]int{t.width}, t.width))
		}
	}
	return out.String()
}

// declaredText says where the schema declares an error.
func declaredText(d equivalence.Declared) string {
	if d.Stands == "" {
		return name(d.Place)
	}
	return name(d.Stands) + " " + name(d.Place)
}

// drawSides writes two errors with aligned columns.
func (t *text) drawSides(out *strings.Builder, sides harness.Sides, native, declarative []string) {
	nativeCells, declarativeCells := compared(native, declarative)
	widths := columnWidths(native, declarative)
	first, second := sides.Names()
	above := side{first, nativeCells}.lines(widths, t.width)
	below := side{second, declarativeCells}.lines(widths, t.width)
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

// place returns the field of an error for display. An error may have none.
func place(path string) string {
	if path == "" {
		return "(no field)"
	}
	return name(path)
}

// errorPlace returns the field of an error. If the validator gave a text for people, a missing
// field says nothing about the object.
func errorPlace(err *field.Error) string {
	if err.Field == "" && equivalence.NamesNoField(err) {
		return "(no field: its text names none)"
	}
	return place(err.Field)
}

// pairPlace returns the field of both errors of a pair, or of the only one.
func pairPlace(pair equivalence.Pair) string {
	if pair.Declarative == nil {
		return errorPlace(pair.Native)
	}
	return place(pair.Field())
}

// columns returns type, bad value and detail of both errors, or nil for a side without an error.
// It omits the value of errors that are not about it, unless only the values differ.
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

// alike returns how many bytes of two texts to omit before their first difference. It returns 0
// unless the difference is too far behind to be shown.
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

// from returns an error without the beginning of its detail that the other side has too.
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
