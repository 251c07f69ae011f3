package sidebyside

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// NoError is shown for a side without an error.
const NoError = "no such error"

// Place returns the field of an error for display. An error may have none.
func Place(path string) string {
	if path == "" {
		return "(no field)"
	}
	return name(path)
}

func name(text string) string { return plaintext.Cut(strings.TrimSpace(text), plaintext.MaxLine) }

// ErrorPlace returns the field of an error. If the validator returned a message for people, a missing field
// does not mean the whole object.
func ErrorPlace(err *field.Error) string {
	if err.Field == "" && fielderror.NamesNoField(err) {
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
	same := 0
	if pair.Native != nil && pair.Declarative != nil {
		same = alike(pair.Native.Detail, pair.Declarative.Detail)
	}
	return errorColumns(pair, pair.Native, same), errorColumns(pair, pair.Declarative, same)
}

// errorColumns returns the columns of an error, without the first bytes of its detail.
func errorColumns(pair equivalence.Pair, err *field.Error, omitted int) []string {
	if err == nil {
		return nil
	}
	value := ""
	if ShowsValue(pair, err) {
		value = shownValue(err)
	}
	detail := err.Detail
	if omitted > 0 {
		detail = fmt.Sprintf("(%d bytes alike) …%s", omitted, detail[omitted:])
	}
	return []string{name(string(err.Type)), value, plaintext.Line(detail)}
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

// ShowsValue reports whether to show the bad value of an error of a pair: the error is about it, or only the
// values differ.
func ShowsValue(pair equivalence.Pair, err *field.Error) bool {
	return plaintext.IsAboutValue(err.Type) || pair.Class == difference.Detail && pair.Native.Detail == pair.Declarative.Detail
}

func shownValue(err *field.Error) string {
	encoded := string(plaintext.BadValue(err.BadValue))
	if encoded == "null" { // it is omitted, or nil
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
