package display

import (
	"fmt"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Declared returns where the schema declares an error.
func Declared(d equivalence.Declared) string {
	if d.Stands == "" {
		return Name(d.Place)
	}
	return Name(d.Stands) + " " + Name(d.Place)
}

// Place returns the field of an error for display. An error may have none.
func Place(path string) string {
	if path == "" {
		return "(no field)"
	}
	return Name(path)
}

// ErrorPlace returns the field of an error. If the validator gave a text for people, a missing
// field says nothing about the object.
func ErrorPlace(err *field.Error) string {
	if err.Field == "" && equivalence.NamesNoField(err) {
		return "(no field: its text names none)"
	}
	return Place(err.Field)
}

// PairPlace returns the field of both errors of a pair, or of the only one.
func PairPlace(pair equivalence.Pair) string {
	if pair.Declarative == nil {
		return ErrorPlace(pair.Native)
	}
	return Place(pair.Field())
}

// Columns returns type, bad value and detail of both errors, or nil for a side without an error.
// It omits the value of errors that are not about it, unless only the values differ.
func Columns(pair equivalence.Pair) (native, declarative []string) {
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
	return []string{Name(string(err.Type)), value, plaintext.Line(err.Detail)}
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

// valueWidth limits a bad value. The formats for programs have all of it.
const valueWidth = 48
