package keyword

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// Check is what one keyword asks of a value. It is made once, never changes, and may be
// used by many goroutines.
type Check interface {
	// Check reports each violation to the subject.
	Check(s Subject)
}

// Subject is a value to check. It knows the path of the value and collects the violations.
type Subject interface {
	Value() view.View
	Reader() *view.Reader
	// Duplicates returns the indexes of items of the list that equal an earlier one; of custom resources
	// the second of each group of equal items alone.
	// With keys, items are compared by their keys. Use up a sequence before you ask for the
	// next one.
	Duplicates(keys []string, numbers view.Numbers) iter.Seq[int]
	// Failed counts a violation of a keyword and reports whether to add its error. In a branch
	// of a junctor violations are only counted.
	Failed(s *Site) bool
	// Undecided notes that keywords did not check the value, because an earlier one failed.
	Undecided(sites ...*Site)
	// Reached notes that keywords check the value (package tally).
	Reached(places []tally.ID)
	// Path is the path of the value, as messages write it: "spec.ports[0].name".
	Path() string
	// Report adds an error at the value and fills in its field and origin.
	Report(s *Site, e field.Error)
	// ReportItem adds an error at an item of the value.
	ReportItem(index int, s *Site, e field.Error)
	// ReportPathless adds an error without a field, as the API server does: its text has the
	// path.
	ReportPathless(s *Site, e field.Error)
	// ReportAs adds errors that have fields. make receives the path of the value, nil for the
	// root.
	ReportAs(s *Site, make func(at *field.Path) field.ErrorList)
}

// Site says which keyword an error comes from.
type Site struct {
	Origin   string
	Override *Override // or nil
	Stage    Stage
	Tally    tally.ID // zero: nothing is counted
}

// Override is an entry of x-kubernetes-validation-errors: a message and a reason for
// the failure of one keyword (KEP-4153, "x-kubernetes extension for custom error
// messages").
type Override struct {
	Message string          `json:"message,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Type    field.ErrorType `json:"-"` // of the reason
}

// Stage is the part of a validation that found an error. The API server ratchets each part in
// its own way.
type Stage uint8

const (
	Schemas   Stage = iota // value validations
	ListTypes              // uniqueness in lists of type set and map
	Embedded               // embedded resources
	Rules                  // x-kubernetes-validations
)

// Source is one keyword of a schema while it is compiled into checks.
type Source interface {
	Schema() *spec.Schema
	// Dialect is how the schema is read. With CustomResource, errors look as in
	// apiextensions-apiserver, too.
	Dialect() Dialect
	// Site returns the Site of a keyword of the schema.
	Site(keyword string) Site
	// Mistakef records a mistake in a keyword of the schema.
	Mistakef(keyword string, value any, format string, args ...any)
	// MistakeAtf records a mistake in one value of a keyword.
	MistakeAtf(keyword string, index int, value any, format string, args ...any)
	// Ignoref records that a keyword has no effect.
	Ignoref(keyword, format string, args ...any)
	// Pattern compiles a regular expression.
	Pattern(source string) (*lang.Pattern, error)
	// Text, Texts and Flag read an extension of the schema. They return the zero value if it
	// is missing. A value of another type is a mistake.
	Text(extension string) string
	Texts(extension string) []string
	Flag(extension string) bool
	// On adds a check for values of some kinds.
	On(c Check, kinds ...view.Kind)
}

// invalid reports an error of kube-openapi the way the API server converts it.
func invalid(s Subject, at *Site, err *openapierrors.Validation) { s.Report(at, Converted(err)) }

// Converted converts an error of kube-openapi the way the API server does, without a field.
func Converted(err *openapierrors.Validation) field.Error {
	limit, _ := err.Valid.(int64)
	switch err.Code() {
	case openapierrors.TooLongFailCode:
		return *field.TooLong(nil, "", int(limit))
	case openapierrors.MaxItemsFailCode, openapierrors.TooManyPropertiesCode:
		actual, _ := err.Value.(int64)
		return *field.TooMany(nil, int(actual), int(limit))
	}
	e := field.Error{Type: field.ErrorTypeInvalid, BadValue: err.Value, Detail: err.Error()}
	if e.BadValue == nil {
		e.BadValue = ""
	}
	if err.Code() == openapierrors.InvalidTypeCode {
		e.Type = field.ErrorTypeTypeInvalid
	}
	return e
}
