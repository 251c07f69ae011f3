package idl

import (
	"go/ast"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// The extensions that markers set.
const (
	extIntOrString      = "x-kubernetes-int-or-string"
	extPreserveUnknown  = "x-kubernetes-preserve-unknown-fields"
	extListType         = "x-kubernetes-list-type"
	extListMapKeys      = "x-kubernetes-list-map-keys"
	extMapType          = "x-kubernetes-map-type"
	extStripZero        = "x-kubernetes-strip-zero"
	extValidations      = "x-kubernetes-validations"
	extValidationErrors = "x-kubernetes-validation-errors"
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

// A Target is the place that a marker applies to: a type, a field, or a part of one of them.
type Target struct {
	node    *spec.Schema // may be a $ref
	builder *builder
	scope   scope // of the Go source that the place is in
	// owner is the struct that has the target as a field, and name the name of the field. They are
	// nil and "" for types, items and values.
	owner *spec.Schema
	field *fieldState
	// constants returns the constants of the type that has the marker. It is nil if they are
	// unknown.
	constants func(leaveOut func([]marker.Line) bool) ([]any, error)
	// overwrites says that the marker that is being applied replaces what is set already.
	overwrites bool
	// inlined is true if the fields of the target become fields of the struct around it.
	inlined bool
	// at is the position of the marker that is being applied, and except what its line says of
	// subresources.
	at     strictyaml.Position
	except []string
}

// fieldState is what markers decide about a field outside of the field's own schema. Nil pointers
// are undecided.
type fieldState struct {
	name      string
	required  *bool
	stripZero *bool
}

func (t *Target) isField() bool { return t.owner != nil }

// Schema returns the schema to change. It first replaces a $ref by a copy of the definition, so
// the change affects only this use.
func (t *Target) Schema() *spec.Schema {
	if name, ok := refName(t.node); ok {
		t.builder.inline(t.node, name)
	}
	return t.node
}

// Kind returns the kind of the target's values.
func (t *Target) Kind() Kind {
	return kindOf(t.builder.resolve(t.node))
}

func kindOf(s *spec.Schema) Kind {
	if _, ok := s.Extensions[extIntOrString]; ok {
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

// constant returns the value of a string constant in +default=ref(…): a constant of the package,
// of an imported package, or of a package given by its import path.
func (t *Target) constant(name string) (any, error) {
	s := t.builder.sources
	slash := strings.LastIndex(name, "/")
	dot := strings.Index(name[slash+1:], ".")
	if slash < 0 || dot < 0 {
		return s.textOf(t.scope.in, t.scope.file, parsedIdent(name), 0)
	}
	path, constant := name[:slash+1+dot], name[slash+2+dot:]
	in, err := s.byPath(path)
	if err != nil {
		return nil, err
	}
	return s.textOf(in, nil, ast.NewIdent(constant), 0)
}

func parsedIdent(name string) ast.Expr {
	if in, selected, ok := strings.Cut(name, "."); ok {
		return &ast.SelectorExpr{X: ast.NewIdent(in), Sel: ast.NewIdent(selected)}
	}
	return ast.NewIdent(name)
}

// conjoin sets a keyword. If an inner type has set it to another value, both apply: the new one
// goes into allOf.
func (t *Target) conjoin(isSet bool, set func(*spec.Schema)) {
	s := t.Schema()
	if !isSet || t.overwrites {
		set(s)
		return
	}
	var extra spec.Schema
	set(&extra)
	s.AllOf = append(s.AllOf, extra)
}

// addRule appends a CEL rule to a schema.
func addRule(s *spec.Schema, rule map[string]any) {
	rules, _ := s.Extensions[extValidations].([]any)
	setExtension(s, extValidations, append(slices.Clip(rules), rule))
}

func setExtension(s *spec.Schema, key string, value any) {
	if s.Extensions == nil {
		s.Extensions = spec.Extensions{}
	}
	s.Extensions[key] = value
}

func article(kind Kind) string {
	switch kind {
	case KindText, KindAny:
		return string(kind)
	case KindIntOrString:
		return "an " + string(kind)
	}
	return "a " + string(kind)
}

func plurals(kinds []Kind) string {
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

const refPrefix = "#/definitions/"

// refName returns the name of the definition that a schema refers to.
func refName(s *spec.Schema) (string, bool) {
	return strings.CutPrefix(s.Ref.String(), refPrefix)
}

func refTo(name string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Ref: spec.MustCreateRef(refPrefix + name)}}
}
