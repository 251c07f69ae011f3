package structural

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// resource checks the schemas of apiVersion, kind and metadata, at the root and in embedded
// resources (KEP-2335, "Metadata").
func (c *checker) resource(s *spec.Schema, x openapi.Extensions, lvl level, at *field.Path) {
	isResource := lvl == rootLevel || x.EmbeddedResource
	for _, name := range []string{"kind", "apiVersion"} {
		if p, found := s.Properties[name]; found && isResource && typeOf(&p) != "string" {
			c.add(field.Invalid(at.Child("properties").Key(name).Child("type"), typeOf(&p), "must be string"))
		}
	}
	if metadata, found := s.Properties["metadata"]; found {
		where := at.Child("properties").Key("metadata")
		if isResource && typeOf(&metadata) != "object" {
			c.add(field.Invalid(where.Child("type"), typeOf(&metadata), "must be object"))
		}
		if lvl == rootLevel && !namesOnly(&metadata) {
			c.add(field.Forbidden(where, "must not specify anything other than name and generateName, but metadata is implicitly specified"))
		}
	}
	if !x.EmbeddedResource {
		return
	}
	if s.AdditionalProperties != nil {
		c.add(field.Forbidden(at.Child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set"))
	}
	if !x.Preserves() && len(s.Properties) == 0 {
		c.add(field.Required(at.Child("properties"), "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"))
	}
}

// namesOnly reports whether the schema of metadata restricts only the names. Another check
// rejects a default of it.
func namesOnly(metadata *spec.Schema) bool {
	rest := *metadata
	rest.Type, rest.Default = nil, nil
	names := 0
	for name := range rest.Properties {
		if name == "name" || name == "generateName" {
			names++
		}
	}
	if names == len(rest.Properties) {
		rest.Properties = nil
	}
	return saysNothing(rest)
}

// unions checks x-kubernetes-unions: they name fields that are declared, and a
// discriminator that can hold their values.
func (c *checker) unions(s *spec.Schema, x openapi.Extensions, at *field.Path) {
	if len(x.Unions) > 0 && typeOf(s) != "object" {
		c.add(field.Invalid(at.Child("type"), typeOf(s), "must be object if x-kubernetes-unions is specified"))
	}
	for i, union := range x.Unions {
		where := at.Child("x-kubernetes-unions").Index(i)
		if len(union.Fields) == 0 {
			c.add(field.Required(where.Child("fields"), "a union needs the fields that exclude each other"))
		}
		for _, name := range slices.Sorted(maps.Keys(union.Fields)) {
			if _, declared := s.Properties[name]; !declared {
				c.add(field.Required(at.Child("properties").Key(name), "because it is defined in "+where.String()))
			}
			if union.Discriminator == "" && union.Fields[name] != "" {
				c.add(field.Forbidden(where.Child("fields").Key(name), "must be empty without a discriminator"))
			}
		}
		if union.Discriminator == "" {
			continue
		}
		if d, declared := s.Properties[union.Discriminator]; !declared {
			c.add(field.Required(at.Child("properties").Key(union.Discriminator), "because it is the discriminator of "+where.String()))
		} else if typeOf(&d) != "string" {
			c.add(field.Invalid(at.Child("properties").Key(union.Discriminator).Child("type"), typeOf(&d), "must be string, because it is the discriminator of "+where.String()))
		}
	}
}
