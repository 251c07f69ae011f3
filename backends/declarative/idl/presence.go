package idl

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
)

// finishField decides what the markers left open ("Zero values" in docs/reference/markers.md) and
// adds the field to its struct.
func finishField(t *target.Target, f *gotypes.Field, made shape, optional bool) {
	node, state := t.Node, t.Field
	required := !f.OmitEmpty && made != shapeStruct && !optional
	if state.Required != nil {
		required = *state.Required
	}
	strip := made == shapeNumber || made == shapeBool || made == shapeOther
	implied := required && state.Required == nil && node.Default == nil
	switch {
	case implied && made == shapeNumber:
		node.Default, strip = int64(0), false
	case implied && made == shapeBool:
		node.Default, strip = false, false
	case made == shapeStruct && !required && node.Default == nil && isObject(node):
		node.Default = map[string]any{}
	}
	if state.StripZero != nil {
		strip = *state.StripZero
	}
	if strip {
		target.SetExtension(node, openapi.XStripZero, true)
	}
	t.DropZeroDefault()
	if required {
		t.Owner.Required = append(t.Owner.Required, f.JSONName)
	}
	t.Owner.Properties[f.JSONName] = *node
}

// isObject reports whether a struct is an object in JSON, with or without values in it. Times and
// quantities are not, and a runtime.RawExtension without a value is null.
func isObject(node *spec.Schema) bool {
	_, isRef := target.RefName(node)
	raw, _ := node.Extensions.GetBool(openapi.XPreserveUnknownFields)
	return isRef || node.Type.Contains("object") && !raw
}
