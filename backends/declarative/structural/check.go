package structural

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Completeness says how thoroughly junctors are searched for values that the schema does not
// declare.
type Completeness uint8

const (
	// CompleteEverywhere is KEP-2335: at every level.
	CompleteEverywhere Completeness = iota
	// CompleteAtRoot is what apiextensions-apiserver does: only below the junctors of
	// the root (pkg/apiserver/schema/complete.go does not descend into properties).
	CompleteAtRoot
)

// Options says what Check asks. The zero value is KEP-2335.
type Options struct {
	Completeness Completeness
	// At is the path of the schema, in front of the path of each error.
	At *field.Path
}

// Check says what keeps the schema of a resource's root from being structural, in
// canonical order (equivalence.Canonical); nothing when it is structural. Keywords that no
// structural schema has ($ref, patternProperties, …) are errors of type Forbidden.
func Check(schema *spec.Schema, opts Options) field.ErrorList {
	if schema == nil {
		return field.ErrorList{field.Required(opts.At, "there is no schema")}
	}
	c := &checker{completeness: opts.Completeness}
	c.structure(schema, rootLevel, opts.At)
	switch opts.Completeness {
	case CompleteEverywhere:
		c.completeEverywhere(schema, opts.At)
	case CompleteAtRoot:
		c.complete(schema, schema, opts.At, opts.At)
	}
	fielderror.Sort(c.errs)
	return c.errs
}

// level is the place of a schema in its parent.
type level uint8

const (
	rootLevel level = iota
	itemLevel
	fieldLevel
)

type checker struct {
	completeness Completeness
	errs         field.ErrorList
}

func (c *checker) add(e *field.Error) { c.errs = append(c.errs, e) }

// structure checks a schema outside of all junctors.
func (c *checker) structure(s *spec.Schema, lvl level, at *field.Path) {
	x, errs := openapi.ReadExtensions(s, at)
	c.errs = append(c.errs, errs...)
	c.unknownKeywords(s, at)
	if typeOf(s) == "array" && s.Items == nil {
		c.add(field.Required(at.Child("items"), "must be specified"))
	}
	c.parts(s, lvl, at)
	c.extensions(x, at)
	c.typed(s, x, lvl, at)
	c.resource(s, x, lvl, at)
	c.unions(s, x, at)
	c.values(s, intOrStringPattern(s), at)
}

// parts checks the schemas of the parts of a value.
func (c *checker) parts(s *spec.Schema, lvl level, at *field.Path) {
	if s.Items != nil && s.Items.Schema != nil {
		c.structure(s.Items.Schema, itemLevel, at.Child("items"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		c.structure(&property, fieldLevel, at.Child("properties").Key(name))
	}
	if s.AdditionalProperties == nil {
		return
	}
	if lvl == rootLevel {
		c.add(field.Forbidden(at.Child("additionalProperties"), "must not be used at the root"))
	}
	if s.AdditionalProperties.Schema != nil {
		c.structure(s.AdditionalProperties.Schema, fieldLevel, at.Child("additionalProperties"))
	}
}

func (c *checker) extensions(x openapi.Extensions, at *field.Path) {
	if x.PreserveUnknownFields != nil && !*x.PreserveUnknownFields {
		c.add(field.Invalid(at.Child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"))
	}
	if x.IntOrString && x.Preserves() {
		c.add(field.Invalid(at.Child("x-kubernetes-preserve-unknown-fields"), true, "must be false if x-kubernetes-int-or-string is true"))
	}
	if x.IntOrString && x.EmbeddedResource {
		c.add(field.Invalid(at.Child("x-kubernetes-embedded-resource"), true, "must be false if x-kubernetes-int-or-string is true"))
	}
}

// typed checks that a value has a type.
func (c *checker) typed(s *spec.Schema, x openapi.Extensions, lvl level, at *field.Path) {
	typ, where := typeOf(s), at.Child("type")
	switch {
	case x.EmbeddedResource && typ == "":
		c.add(field.Required(where, "must be object if x-kubernetes-embedded-resource is true"))
	case x.EmbeddedResource && typ != "object":
		c.add(field.Invalid(where, typ, "must be object if x-kubernetes-embedded-resource is true"))
	case !x.EmbeddedResource && typ == "" && !x.IntOrString && !x.Preserves():
		c.add(field.Required(where, "must not be empty "+[...]string{"at the root", "for specified array items", "for specified object fields"}[lvl]))
	}
	if lvl == rootLevel && typ != "" && typ != "object" {
		c.add(field.Invalid(where, typ, "must be object at the root"))
	}
}

// values checks the value validations of a schema: its junctors and its pattern.
func (c *checker) values(s *spec.Schema, except pattern, at *field.Path) {
	if !except.inAnyOf {
		for i := range s.AnyOf {
			c.nested(&s.AnyOf[i], pattern{}, at.Child("anyOf").Index(i))
		}
	}
	for i := range s.AllOf {
		c.nested(&s.AllOf[i], pattern{inAnyOf: except.inAllOf && i == 0}, at.Child("allOf").Index(i))
	}
	for i := range s.OneOf {
		c.nested(&s.OneOf[i], pattern{}, at.Child("oneOf").Index(i))
	}
	if s.Not != nil {
		c.nested(s.Not, pattern{}, at.Child("not"))
	}
	if s.Pattern != "" {
		if _, err := regexp.Compile(s.Pattern); err != nil {
			c.add(field.Invalid(at.Child("pattern"), s.Pattern, fmt.Sprintf("must be a valid regular expression, but isn't: %v", err)))
		}
	}
}

func typeOf(s *spec.Schema) string {
	if len(s.Type) == 0 {
		return ""
	}
	return s.Type[0]
}
