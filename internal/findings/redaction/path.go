package redaction

import (
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// path returns the path of an error without keys of maps, and without names that the object has but the
// schema does not declare.
func (w caseWords) path(of string) string {
	var shown strings.Builder
	names := w.names
	for i, step := range fieldpath.Split(of) {
		if step.Bracket {
			key := blank
			if _, err := strconv.Atoi(step.Text); err == nil {
				key = step.Text
			}
			shown.WriteString("[" + key + "]")
			names = names.Entry(step.Text)
			continue
		}
		if i > 0 {
			shown.WriteByte('.')
		}
		if step.Text == "" {
			continue // the API server begins paths of a scale with a dot
		}
		if names.Has(step.Text) {
			shown.WriteString(step.Text)
		} else {
			shown.WriteString(w.texts.without(step.Text))
		}
		names = names.Field(step.Text)
	}
	if shown.Len() == 0 {
		return of
	}
	return causes.GeneralText(shown.String())
}
