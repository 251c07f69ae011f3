package apiresource

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// definedFields are the declarations of a version of a CustomResourceDefinition, with the fields of all its
// versions: a webhook may be sent objects in another one. It implements fieldpath.Defined and fieldpath.Naming.
type definedFields struct {
	difference.Declarations
	fieldpath.Naming
	asked    declared.Schema
	versions []declared.Schema
}

// declarations returns what the schema declares. Only a custom resource has defined fields: hand-written code
// for native types also names fields of internal types.
func (v *Validator) declarations() difference.Declarations {
	declarations := v.main.Declarations()
	naming, is := declarations.(fieldpath.Naming)
	if v.opts.NativeTypes || !is {
		return declarations
	}
	return definedFields{declarations, naming, declared.Schema{Root: v.schema, Definitions: v.opts.Schema.Definitions}, v.opts.versions}
}

// General implements fieldpath.Generalizing.
func (d definedFields) General(path string) string { return d.asked.General(path) }

// Undefined implements fieldpath.Defined.
func (d definedFields) Undefined(path string) (at, nearest string, undefined bool) {
	if d.Declares(path) || slices.ContainsFunc(d.versions, func(version declared.Schema) bool { return version.Declares(path) }) {
		return "", "", false
	}
	if d.asked.MayBeKey(path) {
		return "", "", false
	}
	return d.asked.General(path), d.asked.Nearest(path), true
}
