package keyword

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Check is what one keyword asks of a value. It is made once, never changes, and may be
// used by many goroutines.
type Check interface {
	// Check reports each violation to the subject.
	Check(s Subject)
}

// Subject is a value that is being checked, where it stands in an object, and what takes
// the violations.
type Subject interface {
	Value() view.View
	Reader() *view.Reader
	// Duplicates gives the indexes of the items of the list that equal an earlier one, one
	// index for each value. With keys, items are compared by them. The sequence is used up
	// before another one is asked for.
	Duplicates(keys []string, numbers view.Numbers) iter.Seq[int]
	// Failed counts a violation and says whether to report it: in a branch of a junctor
	// violations are only counted.
	Failed() bool
	// Path is where the value stands, as messages write it: "spec.ports[0].name".
	Path() string
	// Report adds an error at the value. Its field and origin are filled in.
	Report(s *Site, e field.Error)
	// ReportItem adds an error at an item of the value.
	ReportItem(index int, s *Site, e field.Error)
	// ReportPathless adds an error that the API server gives no field: its text has it.
	ReportPathless(s *Site, e field.Error)
	// ReportAs adds errors that have their fields already: what makes them is given the
	// path of the value, nil for the root.
	ReportAs(s *Site, make func(at *field.Path) field.ErrorList)
}

// Site is what the errors of a keyword say about where they come from.
type Site struct {
	Origin   string
	Override *Override // or nil
	Stage    Stage
}

// Override is an entry of x-kubernetes-validation-errors: a message and a reason for
// the failure of one keyword (KEP-4153, "x-kubernetes extension for custom error
// messages").
type Override struct {
	Message string          `json:"message,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Type    field.ErrorType `json:"-"` // of the reason
}

// Stage is which part of a validation an error is from. The API server ratchets them
// differently.
type Stage uint8

const (
	Schemas   Stage = iota // value validations
	ListTypes              // uniqueness in lists of type set and map
	Embedded               // embedded resources
	Rules                  // x-kubernetes-validations
)

// Source is one keyword of a schema that becomes checks.
type Source interface {
	Schema() *spec.Schema
	// CustomResource says that errors look as in apiextensions-apiserver.
	CustomResource() bool
	// Site is that of a keyword of the schema.
	Site(keyword string) Site
	// Mistakef notes what is wrong with a keyword of the schema.
	Mistakef(keyword string, value any, format string, args ...any)
	// MistakeAtf does so for one of its values.
	MistakeAtf(keyword string, index int, value any, format string, args ...any)
	// Ignoref notes that a keyword has no effect.
	Ignoref(keyword, format string, args ...any)
	// Pattern compiles a regular expression.
	Pattern(source string) (*pattern.Pattern, error)
	// Text and Texts read an extension of the schema; "" and nil if it is not there or
	// wrong, which is a mistake. Flag reads one that is true or false.
	Text(extension string) string
	Texts(extension string) []string
	Flag(extension string) bool
	// On adds a check for values of some kinds.
	On(c Check, kinds ...view.Kind)
}

// invalid reports an error of kube-openapi as the API server converts it.
func invalid(s Subject, at *Site, err *openapierrors.Validation) { s.Report(at, Converted(err)) }

// Converted is an error of kube-openapi as the API server converts it, without a field.
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
