package explore

import (
	"slices"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// explores reports whether the values at a path are changed: all are, or those of Options.Fields and
// below.
func (e *Explorer) explores(path steps) bool {
	if len(e.options.Fields) == 0 {
		return true
	}
	place := path.General()
	return slices.ContainsFunc(e.options.Fields, func(field string) bool { return fieldpath.AtOrBelow(place, field) })
}

// HasField reports whether a schema has a field, such as "spec.ports[*].port".
func HasField(s *props, field string) bool {
	for i, step := range fieldpath.Split(field) {
		switch {
		case step.Bracket && s.Items != nil && s.Items.Schema != nil:
			s = s.Items.Schema
		case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
			s = s.AdditionalProperties.Schema
		default:
			declared, has := s.Properties[step.Text]
			if !has {
				return false
			}
			s = &declared
			if i == 0 && step.Text == "metadata" {
				s = objectMeta()
			}
		}
	}
	return field != ""
}
