package target

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Kind is the kind of the values of a target, as far as markers distinguish them. Messages show it
// as text.
type Kind string

// The kinds.
const (
	KindText        Kind = "text"
	KindNumber      Kind = "number"
	KindBool        Kind = "boolean"
	KindList        Kind = "list"
	KindMap         Kind = "map"
	KindStruct      Kind = "struct"
	KindIntOrString Kind = "int-or-string"
	KindAny         Kind = "any value"
)

// KindOf returns the kind of the values of a schema without a $ref.
func KindOf(s *spec.Schema) Kind {
	if _, ok := s.Extensions[openapi.XIntOrString]; ok {
		return KindIntOrString
	}
	if len(s.Type) != 1 {
		return KindAny
	}
	switch s.Type[0] {
	case "string":
		return KindText
	case "integer", "number":
		return KindNumber
	case "boolean":
		return KindBool
	case "array":
		return KindList
	}
	if s.AdditionalProperties != nil {
		return KindMap
	}
	return KindStruct
}

// Article returns the kind with its article, for messages.
func (k Kind) Article() string {
	switch k {
	case KindText, KindAny:
		return string(k)
	case KindIntOrString:
		return "an " + string(k)
	}
	return "a " + string(k)
}

// Plurals lists kinds in messages.
func Plurals(kinds []Kind) string {
	var words []string
	for _, kind := range kinds {
		switch kind {
		case KindText, KindAny:
			words = append(words, string(kind))
		default:
			words = append(words, string(kind)+"s")
		}
	}
	return strings.Join(words, " and ")
}
