package explore

import (
	"slices"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/object"
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
	var path []string
	for _, step := range fieldpath.Split(field) {
		if step.Bracket {
			step.Text = object.Any
		}
		path = append(path, step.Text)
	}
	if len(path) == 0 {
		return false
	}
	_, declared := s.Properties[path[0]]
	return declared && SchemaAt(s, path) != nil
}
