package contract

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// Capable is implemented by a Backend that can do more than validate.
type Capable interface {
	Capabilities() Capabilities
}

// Capabilities are what a Backend can do besides Validate. The zero value belongs to a Backend that
// only validates. A Backend that wraps a Backend returns its Capabilities.
//
// The functions may be called from several goroutines at once.
type Capabilities struct {
	// ValidatesDeletes reports whether Validate looks at deletions and connections, as webhooks do.
	// Definitions and hand-written functions do not: they are not called, and count as accepting.
	ValidatesDeletes bool
	// RawDocuments is set by a native Backend that defaults and prepares objects itself, as a
	// running API server does. In the version that a case is written in, it gets the document of
	// the case; in other versions it gets the object that the Scheme converted.
	RawDocuments bool
	// ServesRequests is set by a native Backend that answers a request as the API server does,
	// with everything that runs around the functions of validation.go. Compare uses only such a
	// Backend to find out whether a request with the object differs.
	ServesRequests bool
	// Guards lists the guards of a Backend in the order in which they are asked. Each time the
	// Backend asks one, it calls AddNotes.
	Guards []Guard

	// Declarations returns what the schema of a declarative Backend declares; nil: unknown. Rules
	// that need evidence from the schema do not apply without it.
	Declarations func(in *Input) difference.Declarations
	// UncheckedRules returns the errors that the rules of a schema would report on an input if
	// they were checked. It is called if an error of Validate says that they were not
	// (fielderror.IsRulesNotChecked). The error is a fault. Without it, a native error that only
	// such a rule has is a difference.
	UncheckedRules func(ctx context.Context, in *Input) (field.ErrorList, error)
	// WithoutRatcheting returns the errors of an update including those that Validate drops because the
	// update did not change the value (KEP-4008). It is called if the native validator reports an
	// error. Without it, each native error at such a value is a difference.
	WithoutRatcheting func(ctx context.Context, in *Input) (field.ErrorList, error)
	// Locate returns the errors of Validate with the keywords and rules of the schema that declare
	// them. It is called if nothing explains an error of Validate. Without it, a difference does
	// not show what to change in the schema.
	Locate func(ctx context.Context, in *Input) ([]Located, error)
	// Part returns the Backend of the part of the kind at a field. Its errors have paths within
	// the part.
	Part func(field string) (Backend, error)
	// Defaults returns the function that fills the defaults of the schema into a document without
	// changing it. The function is nil if the schema is not meant to have all defaults.
	Defaults func() (func(map[string]any) map[string]any, error)
	// DefaultExceptions returns the exceptions for defaults that depend on other fields, which no
	// schema can declare. It must be set if Defaults is. The exceptions of the options are applied
	// first; with NoExceptions, none are.
	DefaultExceptions func() (*equivalence.Exceptions, error)
}

// CapabilitiesOf returns the Capabilities of a Backend.
func CapabilitiesOf(backend Backend) Capabilities {
	if capable, ok := backend.(Capable); ok {
		return capable.Capabilities()
	}
	return Capabilities{}
}

// Located is an error with the places of the schema that declare it, such as
// "properties[size].minimum"; none: the schema does not declare it.
type Located struct {
	*field.Error
	Declared []string
	// Position is that of Declared, as in "policies.yaml:9"; empty: harness.Version.Position returns it.
	Position string
}

// CapableScheme is implemented by a Scheme that can do more than decode, default and convert.
type CapableScheme interface {
	Capabilities() SchemeCapabilities
}

// SchemeCapabilities are what a Scheme can do besides its methods. The zero value belongs to a
// Scheme that can do nothing else.
type SchemeCapabilities struct {
	// Document is set by a Scheme that takes documents only. It turns the typed object of a case
	// into a document, as a client would send it, before Decode. The version is that of the case,
	// or empty.
	Document func(object any, version schema.GroupVersionKind) (map[string]any, error)
	// Complete fills in the fields that the API server sets, such as the uid, in typed objects
	// where they are not set. Documents get them from Default. Complete must not change the
	// objects that it is given; old is nil for a create.
	Complete func(object, old any) (any, any, error)
	// Part is set by a Scheme that also converts typed objects of a part of the kind, such as the
	// spec of a Deployment. It returns the field of the kind that holds objects of this type, as in
	// "spec" or "spec.template", in a version. It is empty for objects of the kind itself. A struct
	// whose fields are inlined in JSON is at the field of the struct around it. If the kind has
	// several fields of the type, path selects one: it is harness.Case.Path without indexes, as in spec,
	// containers, readinessProbe; empty: the case has none. The error is an *InexpressibleError if
	// the version has no such field.
	Part func(object any, path []string, version schema.GroupVersionKind) (string, error)
	// WrittenOnly is set by a Scheme that converts nothing: a case is compared only in the version that it is
	// written in.
	WrittenOnly bool
	// Omitted is set by a Scheme that drops fields of a case. It lists the fields that an object from
	// Default lacks in a version. It is called after Convert.
	Omitted func(object any, version schema.GroupVersionKind) []Omission
	// MetadataApart is set by a Scheme that treats metadata apart from the rest. It reports whether further labels, other
	// finalizers and a time of deletion in an update of an object from Decode change nothing else in what Default and Convert
	// make of it. The harness then prepares some requests on stored objects together.
	MetadataApart func(object any) bool
	// Defaulted is set by a Scheme whose defaults are hand-written functions. The harness compares
	// them with the defaults that the schema declares (KEP-4153), if the declarative backend has
	// Capabilities.Defaults. It returns an object from Decode as a document of a version twice:
	// with the hand-written defaults, and with the defaults that declared fills in; nil twice if they are equal. declared gets
	// the document as the client wrote it: sent is the document of the case, whose empty lists an
	// object may not show. The Go type encodes both documents, so that an absent field and a zero
	// value are equal if the type cannot tell them apart.
	Defaulted func(object any, sent map[string]any, version schema.GroupVersionKind,
		declared func(map[string]any) map[string]any) (native, declarative map[string]any, err error)
}
