package equivalence

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// ownField stands in a text for the field that its error is reported at, whose indices
// differ from one item of a list to the next.
const ownField = "\x00"

// parts cuts the text of an error into what an exception for it says and what is
// particular to one object. The error's own field is left out in front, as in matching.
func parts(err *field.Error) []textPart {
	text := fielderror.Text(err)
	if strings.Contains(err.Field, "[") && !strings.Contains(text, ownField) {
		text = strings.ReplaceAll(text, err.Field, ownField)
		text = strings.ReplaceAll(text, dotted(err.Field), ownField)
	}
	return partsOf(text)
}

// wordingKey is equal for errors that one exception may accept: of one type, with texts
// that differ only in values of one form. No error has a key of its own.
func wordingKey(err *field.Error) string {
	if err == nil {
		return ""
	}
	key := []string{string(err.Type)}
	for _, part := range parts(err) {
		if part.particular {
			key = append(key, part.like())
		} else {
			key = append(key, part.text)
		}
	}
	return joinKey(key...)
}

// detailPattern gives the pattern for the texts of errors that share a wordingKey. What is
// the same in all of them is spelled out; values that vary may be others of their form.
func detailPattern(errs []*field.Error) string {
	var pattern strings.Builder
	for i, first := range parts(errs[0]) {
		varies := false
		for _, err := range errs[1:] {
			varies = varies || parts(err)[i] != first
		}
		if varies {
			pattern.WriteString(first.like())
			continue
		}
		literals := strings.Split(first.text, ownField)
		for n, literal := range literals {
			if n > 0 {
				pattern.WriteString(atAnyIndex(errs[0].Field))
			}
			pattern.WriteString(plaintext.Regexp(literal))
		}
	}
	return pattern.String()
}

// dotted gives a field as kube-openapi writes it in its texts, with dots before keys.
func dotted(path string) string {
	var names []string
	for _, step := range fieldpath.Split(path) {
		names = append(names, step.Text)
	}
	return strings.Join(names, ".")
}

// atAnyIndex gives a pattern for a field in a text, with any index or key, in brackets or
// behind a dot.
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

// textPart is a piece of a text: what all texts of one cause share, or what is particular to
// an object.
type textPart struct {
	text       string
	particular bool
}

// partsOf cuts a text into its parts. Shared parts and particular ones take turns, a shared
// one, which may be empty, first and last.
func partsOf(text string) []textPart {
	var parts []textPart
	end := 0
	for _, at := range particular.FindAllStringIndex(text, -1) {
		parts = append(parts, textPart{text: text[end:at[0]]}, textPart{text: text[at[0]:at[1]], particular: true})
		end = at[1]
	}
	return append(parts, textPart{text: text[end:]})
}

// like gives a pattern (RE2) for a part and for all others of its form: another number for
// a number, another text in the same quotes.
func (p textPart) like() string {
	switch {
	case !p.particular:
		return regexp.QuoteMeta(p.text)
	case strings.HasPrefix(p.text, `"`):
		return `"(?:[^"\\]|\\.)*"`
	case strings.HasPrefix(p.text, "`"):
		return "`[^`]*`"
	case strings.HasPrefix(p.text, "'"):
		return `'[^' ]*'`
	}
	return `[0-9]+`
}
