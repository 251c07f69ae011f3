package structural

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// unions checks x-kubernetes-unions, which must name declared fields and a discriminator that can
// hold their values.
func (c *checker) unions(s *spec.Schema, unions []openapi.Union, at *field.Path) {
	if len(unions) > 0 && typeOf(s) != "object" {
		c.add(field.Invalid(at.Child("type"), typeOf(s), "must be object if x-kubernetes-unions is specified"))
	}
	for i, union := range unions {
		where := at.Child(openapi.XUnions).Index(i)
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
		discriminator := at.Child("properties").Key(union.Discriminator)
		if d, declared := s.Properties[union.Discriminator]; !declared {
			c.add(field.Required(discriminator, "because it is the discriminator of "+where.String()))
		} else if typeOf(&d) != "string" {
			c.add(field.Invalid(discriminator.Child("type"), typeOf(&d),
				"must be string, because it is the discriminator of "+where.String()))
		}
	}
}

func typeOf(s *spec.Schema) string {
	if len(s.Type) == 0 {
		return ""
	}
	return s.Type[0]
}
