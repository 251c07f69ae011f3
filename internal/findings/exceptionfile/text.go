package exceptionfile

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// ownField replaces an error's own field in its text, because indices differ between the items of a list.
const ownField = "\x00"

// parts splits the text of an error into shared parts and parts that are particular to one object. The
// error's own field at the beginning is removed, as in matching.
func parts(err *field.Error) []causes.TextPart {
	text := fielderror.Text(err)
	if strings.Contains(err.Field, "[") && !strings.Contains(text, ownField) {
		text = strings.ReplaceAll(text, err.Field, ownField)
		text = strings.ReplaceAll(text, dotted(err.Field), ownField)
	}
	return causes.TextParts(text)
}

// wordingKey returns a key that is equal for errors that one exception may accept: they have the same
// type, and texts that differ only in values of the same form. It is empty for nil.
func wordingKey(err *field.Error) string {
	if err == nil {
		return ""
	}
	key := []string{string(err.Type)}
	for _, part := range parts(err) {
		if part.Particular {
			key = append(key, part.Pattern())
		} else {
			key = append(key, part.Text)
		}
	}
	return fieldpath.JoinKey(key...)
}

// detailPattern returns the pattern for the texts of errors with the same wordingKey. Parts that are
// equal in all of them are literal; other values match any value of their form.
func detailPattern(errs []*field.Error) string {
	var pattern strings.Builder
	for i, first := range parts(errs[0]) {
		varies := false
		for _, err := range errs[1:] {
			varies = varies || parts(err)[i] != first
		}
		if varies {
			pattern.WriteString(first.Pattern())
			continue
		}
		literals := strings.Split(first.Text, ownField)
		for n, literal := range literals {
			if n > 0 {
				pattern.WriteString(atAnyIndex(errs[0].Field))
			}
			pattern.WriteString(plaintext.Regexp(literal))
		}
	}
	return pattern.String()
}

// dotted returns a field as kube-openapi writes it in its texts, with dots before keys.
func dotted(path string) string {
	var names []string
	for _, step := range fieldpath.Split(path) {
		names = append(names, step.Text)
	}
	return strings.Join(names, ".")
}

// atAnyIndex returns a pattern for a field in a text, with any index or key, in brackets or after a dot.
func atAnyIndex(path string) string {
	var pattern strings.Builder
	for i, step := range fieldpath.Split(path) {
		switch {
		case step.Bracket:
			pattern.WriteString(`(?:\[[^\]]*\]|\.[^ ]+)`)
		case i > 0:
			pattern.WriteString(`\.` + plaintext.Regexp(step.Text))
		default:
			pattern.WriteString(plaintext.Regexp(step.Text))
		}
	}
	return pattern.String()
}
