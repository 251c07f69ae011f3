package keyword

import (
	"math"
	"slices"
	"strings"

	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

const intOrString = "x-kubernetes-int-or-string"

// schemaTypes are the types that a schema may name.
func schemaTypes() []string {
	return []string{"object", "array", "string", "number", "integer", "boolean", "null"}
}

// Dialect is how a schema is read where a CustomResourceDefinition and the schema of a native type
// differ.
type Dialect struct {
	// CustomResource reads the schema as apiextensions-apiserver does.
	CustomResource bool
	// Proposals enables the extensions of KEP-2335 and KEP-4153.
	Proposals bool
}

// Types returns the types that a schema accepts. An int-or-string accepts both.
func (d Dialect) Types(s *spec.Schema) []string {
	if d.IntOrString(s) {
		return []string{"integer", "string"}
	}
	return s.Type
}

// IntOrString reports whether a schema is an int-or-string. A CustomResourceDefinition declares
// it with the extension, a native type also with the format, which is one of many that the API
// server does not know in a definition (k8s.io/apiextensions-apiserver/pkg/apiserver/validation,
// StripUnsupportedFormatsPostProcess).
func (d Dialect) IntOrString(s *spec.Schema) bool {
	set, _ := s.Extensions.GetBool(intOrString)
	return set || !d.CustomResource && s.Format == "int-or-string"
}

// verdict is what the type of a schema says about one kind of value.
type verdict struct {
	wrong     bool
	want, got string // type or format names, for the message
}

// TypeCheck is the keyword "type". It follows the type validator of kube-openapi, whose answer
// also depends on the format.
type TypeCheck struct {
	site   Site
	types  []string
	format string
	wrong  [view.Kinds]bool
	whole  bool // a float that is a whole number is wrong
}

// CompileType returns the check of the type and the kinds that violate it. The check is nil if
// the schema accepts every kind.
func CompileType(s Source) (check *TypeCheck, kinds []view.Kind) {
	types := s.Dialect().Types(s.Schema())
	for _, t := range types {
		if !slices.Contains(schemaTypes(), t) {
			s.Mistakef("type", t, "unknown type; accepted are %s", strings.Join(schemaTypes(), ", "))
		}
	}
	if raw, ok := s.Schema().Extensions[intOrString]; ok {
		if _, isBool := raw.(bool); !isBool {
			s.Mistakef(intOrString, raw, "must be true or false")
			return nil, nil
		}
	}
	format := s.Dialect().format(s.Schema())
	if len(types) == 0 && format == "" {
		return nil, nil
	}
	check = &TypeCheck{site: s.Site("type"), types: types, format: format}
	check.whole = check.judge(view.Float, true).wrong
	for k := range view.Kinds {
		if check.wrong[k] = check.judge(k, false).wrong; check.wrong[k] {
			kinds = append(kinds, k)
		}
	}
	return check, kinds
}

// typeNames are the names of a kind as a type and as the format that kube-openapi
// infers from a Go value.
func typeNames(k view.Kind) (typ, format string) {
	switch k {
	case view.Null:
		return "null", ""
	case view.Bool:
		return "boolean", ""
	case view.Int:
		return "integer", "int64"
	case view.Float:
		return "number", "float64"
	case view.String:
		return "string", ""
	case view.List:
		return "array", ""
	case view.Map:
		return "object", ""
	}
	return "unsupported", ""
}

func (c *TypeCheck) judge(k view.Kind, whole bool) verdict {
	types, format := c.types, c.format
	has := func(t string) bool { return slices.Contains(types, t) }
	joined := strings.Join(types, ",")
	typ, inferred := typeNames(k)
	if k == view.Null {
		return verdict{wrong: len(types) > 0 && !has("null"), want: joined, got: typ}
	}
	fits := has(typ) || (k == view.Float && whole && has("integer")) || (k == view.Int && has("number"))
	text := k == view.String || k == view.List
	if !text && format != "" && !fits && format != inferred {
		return verdict{wrong: true, want: format, got: inferred}
	}
	if text && format != "" && !has("number") && !has("integer") {
		return verdict{}
	}
	return verdict{wrong: !fits, want: joined, got: typ}
}

// Check reports a value of a wrong type. The caller knows whether null is accepted.
func (c *TypeCheck) Check(s Subject) {
	if v := s.Value(); c.Violated(v) && s.Failed(&c.site) {
		verdict := c.judge(v.Kind(), whole(v))
		invalid(s, &c.site, openapierrors.InvalidType(s.Path(), "body", verdict.want, verdict.got))
	}
}

// Violated reports whether a value has a wrong type.
func (c *TypeCheck) Violated(v view.View) bool {
	if whole(v) {
		return c.whole
	}
	return c.wrong[v.Kind()]
}

// whole reports whether a value is a float that counts as an integer.
func whole(v view.View) bool { return v.Kind() == view.Float && wholeNumber(v.Float()) }

// wholeNumber reports whether a float counts as an integer: as in go-openapi, up to the largest
// safe integer of JSON and within a relative error of 1e-9.
func wholeNumber(f float64) bool {
	const safe, tolerance = 1<<53 - 1, 1e-9
	if math.IsNaN(f) || math.Abs(f) > safe {
		return false
	}
	rounded := math.Round(f)
	return f == rounded || (rounded != 0 && math.Abs(f-rounded) < tolerance*math.Abs(rounded))
}
