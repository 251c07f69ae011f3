package structural

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// completeBelow checks the junctors of all schemas inside a schema. The API server checks those of
// the root alone (pkg/apiserver/schema/complete.go does not descend into properties).
func (c *checker) completeBelow(s *spec.Schema, at *field.Path) {
	for child := range openapi.Children(s) {
		if child.IsPart() {
			c.complete(child.Schema, child.Schema, child.At(at), child.At(at))
			c.completeBelow(child.Schema, child.At(at))
		}
	}
}

// complete checks that all fields and items in the junctors of a schema are declared by the schema
// of the same value outside all junctors.
func (c *checker) complete(s, declared *spec.Schema, declaredAt, at *field.Path) {
	for child := range openapi.Children(s) {
		if child.IsBranch() {
			c.completeBranch(child.Schema, declared, declaredAt, child.At(at))
		}
	}
}

func (c *checker) completeBranch(s, declared *spec.Schema, declaredAt, at *field.Path) {
	c.complete(s, declared, declaredAt, at)
	for child := range openapi.Children(s) {
		if !child.IsPart() || child.Keyword == "additionalProperties" {
			continue
		}
		part := openapi.Items(declared)
		if child.Keyword == "properties" {
			part = nil
			if property, found := declared.Properties[child.Name]; found {
				part = &property
			}
		}
		if part == nil {
			c.add(field.Required(child.At(declaredAt), "because it is defined in "+child.At(at).String()))
			continue
		}
		c.completeBranch(child.Schema, part, child.At(declaredAt), child.At(at))
	}
}
