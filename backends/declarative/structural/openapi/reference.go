package openapi

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
)

// Reference is the $ref of a schema, or ""; one to the whole document is "#". An allOf with a
// reference as its only element is one, too.
func Reference(s *spec.Schema) string { return declared.Reference(s) }
