package evidence

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/gomodule/readings"
)

// Reading is what the source of the native validator says about a place that makes an error.
type Reading = readings.Reading

// errorTypes are the types of the errors that constructors make.
var errorTypes = map[string]field.ErrorType{
	"Duplicate":        field.ErrorTypeDuplicate,
	"Forbidden":        field.ErrorTypeForbidden,
	"InternalError":    field.ErrorTypeInternal,
	"Invalid":          field.ErrorTypeInvalid,
	"NotFound":         field.ErrorTypeNotFound,
	"NotSupported":     field.ErrorTypeNotSupported,
	"Required":         field.ErrorTypeRequired,
	"TooLong":          field.ErrorTypeTooLong,
	"TooLongMaxLength": field.ErrorTypeTooLong,
	"TooMany":          field.ErrorTypeTooMany,
	"TypeInvalid":      field.ErrorTypeTypeInvalid,
}

// ReadingsOf returns what the source says about a site: of the line that makes its errors or, if that is not known or was not
// read, of those that make such errors.
func (e *Evidence) ReadingsOf(of *Site) []*Reading {
	where := func(from []*Reading, is func(*Reading) bool) (all []*Reading) {
		for _, r := range from {
			if r.Type != read.PanicType && is(r) {
				all = append(all, r)
			}
		}
		return all
	}
	found := where(e.Target.Readings, func(r *Reading) bool { return r.Source() == of.Key.Source })
	if len(found) == 0 {
		found = where(e.Target.Readings, func(r *Reading) bool { return makes(r, of) })
	}
	if told := where(found, func(r *Reading) bool { return textOf(r) == of.Key.Detail }); len(told) > 0 {
		found = told // a function that makes errors for others
	}
	if here := where(found, func(r *Reading) bool { return r.Field == of.Key.Place }); len(here) > 0 {
		return here // a function that is called for several fields
	}
	return found
}

// textOf returns the general text of the errors that a reading is about.
func textOf(r *Reading) string { return strings.ReplaceAll(r.Text, "…", hole) }

// readText returns the general text of an error that a line makes, if the line makes errors for several callers, whose texts
// the readings have; empty: it does not, or none of them is the one that says most.
func (e *Evidence) readText(source, detail string) (text string) {
	text, texts := e.mostSaid(detail, func(r *Reading) bool { return r.Source() == source })
	if texts < 2 {
		return ""
	}
	return text
}

// textOfReadings returns the general text of an error if it is not known which line makes it: that of the readings of its type,
// or of none, that says most about it; empty: there is none, or there are several, or several lines have it.
func (e *Evidence) textOfReadings(err *field.Error) string {
	text, _ := e.mostSaid(err.Detail, func(r *Reading) bool {
		typ, isTyped := errorTypes[r.Type]
		return typ == err.Type || !isTyped
	})
	line := ""
	for _, r := range e.Target.Readings {
		if textOf(r) != text {
			continue
		}
		if line != "" && r.Source() != line {
			return ""
		}
		line = r.Source()
	}
	return text
}

// mostSaid returns the text that says most about an error, of some readings, and how many texts they have.
func (e *Evidence) mostSaid(detail string, of func(*Reading) bool) (text string, count int) {
	texts, most, isOnly := map[string]bool{}, -1, false
	for _, r := range e.Target.Readings {
		if r.Type == read.PanicType || !of(r) || texts[textOf(r)] {
			continue
		}
		texts[textOf(r)] = true
		parts := strings.Split(r.Text, "…")
		if said := len(strings.Join(parts, "")); identify(parts) && hasParts(detail, parts) && said >= most {
			isOnly = said > most
			text, most = textOf(r), said
		}
	}
	if !isOnly {
		return "", len(texts)
	}
	return text, len(texts)
}

// hasParts reports whether a text has parts in their order.
func hasParts(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool {
		_, after, has := strings.Cut(text, part)
		text = after
		return !has
	})
}

// onlyCreates reports whether the source says that no update has the errors of a site.
func (e *Evidence) onlyCreates(of *Site) bool {
	readings := e.ReadingsOf(of)
	return len(readings) > 0 && !slices.ContainsFunc(readings, func(r *Reading) bool { return !r.OnlyCreates })
}

// Unseen returns the readings of which no error was seen that the schema lacks.
func (e *Evidence) Unseen() (all []*Reading) {
	seen := map[*Reading]bool{}
	for _, of := range e.Sites {
		for _, r := range e.ReadingsOf(of) {
			seen[r] = true
		}
	}
	for _, of := range e.Panics {
		for _, r := range e.PanicReadings(of) {
			seen[r] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(e.Target.Readings), func(r *Reading) bool { return seen[r] })
}

// makes reports whether errors of a site look like those of a reading.
func makes(r *Reading, of *Site) bool {
	typ, typed := errorTypes[r.Type]
	isHere := typed && r.Field == of.Key.Place
	parts := strings.Split(r.Text, "…")
	if typed && typ != of.Key.Typ || typed && r.Field != "" && !isHere || !isHere && !identify(parts) {
		return false
	}
	return hasParts(of.First.Detail, parts)
}
