package evidence

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
)

// Reading is what the source of the native validator says about a place that makes an error. It is a guess like others:
// whether it is right, only answers tell.
type Reading struct {
	read.Site
	// OnlyCreates is true if no update comes to the place.
	OnlyCreates bool
}

// AddReading adds what the source says for an operation (empty: any), once: creates and updates often come to one place in the
// same way.
func (t *Target) AddReading(site read.Site, operation string) {
	added := &Reading{site, operation == "CREATE"}
	isKnown := false
	for _, r := range t.Readings {
		if r.Pos == site.Pos && r.Field == site.Field {
			added.OnlyCreates = added.OnlyCreates && r.OnlyCreates
			r.OnlyCreates = added.OnlyCreates
			isKnown = isKnown || celexpr.String(r.Condition) == celexpr.String(site.Condition)
		}
	}
	if !isKnown {
		t.Readings = append(t.Readings, added)
	}
}

// Source returns the line that makes the error, as [SiteKey] has it.
func (r *Reading) Source() string { return fmt.Sprintf("%s:%d", r.Pos.Filename, r.Pos.Line) }

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
	if e.Requests != nil {
		return nil // readings are about objects
	}
	where := func(from []*Reading, is func(*Reading) bool) (all []*Reading) {
		for _, r := range from {
			if is(r) {
				all = append(all, r)
			}
		}
		return all
	}
	found := where(e.Target.Readings, func(r *Reading) bool { return r.Source() == of.Key.Source })
	if len(found) == 0 {
		found = where(e.Target.Readings, func(r *Reading) bool { return r.makes(of) })
	}
	if here := where(found, func(r *Reading) bool { return r.Field == of.Key.Place }); len(here) > 0 {
		return here // a function that is called for several fields
	}
	return found
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
	return slices.DeleteFunc(slices.Clone(e.Target.Readings), func(r *Reading) bool { return seen[r] })
}

// makes reports whether errors of a site look like those of the reading.
func (r *Reading) makes(of *Site) bool {
	typ, typed := errorTypes[r.Type]
	isHere := typed && r.Field == of.Key.Place
	parts := strings.Split(r.Text, "…")
	if typed && typ != of.Key.Typ || typed && r.Field != "" && !isHere || !isHere && !identify(parts) {
		return false
	}
	rest := of.First.Detail
	return !slices.ContainsFunc(parts, func(part string) bool {
		_, after, has := strings.Cut(rest, part)
		rest = after
		return !has
	})
}
