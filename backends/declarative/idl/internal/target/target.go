package target

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/openapi"
)

// A Target is the place that a marker applies to: a type, a field, or a part of one of them.
type Target struct {
	Node    *spec.Schema // may be a $ref
	Schemas *Schemas
	// Owner is the struct that has the target as a field. Owner and Field are nil for types, items
	// and values.
	Owner *spec.Schema
	Field *Field
	// Inlined is true if the fields of the target become fields of the struct around it.
	Inlined bool
	// Constants returns the constants of the type that has the marker. It is nil if they are
	// unknown.
	Constants func(leaveOut func([]marker.Line) bool) ([]any, error)
	// Constant returns the value of a string constant in +default=ref(…): a constant of the package,
	// of an imported package, or of a package given by its import path.
	Constant func(name string) (string, error)
	Line
	markers *pending // work that waits for all markers of the place
}

// Line describes the line of the marker that is being applied.
type Line struct {
	At strictyaml.Position
	// Except lists the subresources whose requests its rule does not apply to.
	Except []string
	// Bundled means that it is in a bundled overlay.
	Bundled bool
	// Overwrites means that the marker replaces what is already set.
	Overwrites bool
}

// Field is what markers decide about a field outside of its own schema. Nil pointers are undecided.
type Field struct {
	Name      string
	Required  *bool
	StripZero *bool
}

// IsField reports whether the target is a field of a struct.
func (t *Target) IsField() bool { return t.Owner != nil }

// Schema returns the schema to change. It first replaces a $ref by a copy of the definition, so
// the change affects only this use.
func (t *Target) Schema() *spec.Schema {
	if name, ok := RefName(t.Node); ok {
		t.Schemas.Inline(t.Node, name)
	}
	return t.Node
}

// Kind returns the kind of the target's values.
func (t *Target) Kind() Kind { return KindOf(t.Schemas.Resolve(t.Node)) }

// Struct returns the state of the struct that the target is a field of.
func (t *Target) Struct() *Struct { return t.Schemas.Struct(t.Owner) }

// AfterFields defers work that needs the other fields of the struct that the target is a field of.
func (t *Target) AfterFields(do func() error) { t.Struct().fields.add(t.At, do) }

// AfterMarkers defers work that needs the other markers of the place.
func (t *Target) AfterMarkers(do func() error) { t.markers.add(t.At, do) }

// Conjoin sets a keyword. If an inner type has set it to another value, both apply: the new one
// goes into allOf.
func (t *Target) Conjoin(isSet bool, set func(*spec.Schema)) {
	s := t.Schema()
	if !isSet || t.Overwrites {
		set(s)
		return
	}
	var extra spec.Schema
	set(&extra)
	s.AllOf = append(s.AllOf, extra)
}

// Begin starts to apply the markers of a place.
func (t *Target) Begin() { t.markers = &pending{} }

// Finish does the work that waited for all markers of the place. It reports whether one of them
// was wrong.
func (t *Target) Finish() (failed bool) { return t.Schemas.finish(t.markers, t.Node) }

// Below follows the steps of a marker ("items", "values" or ".name") and applies a change there.
func (t *Target) Below(steps []string, do func(*Target) error) error {
	if len(steps) == 0 {
		return t.recordOrigins(do)
	}
	step, rest := steps[0], steps[1:]
	s := t.Schema()
	below := &Target{Schemas: t.Schemas, Constant: t.Constant, Line: t.Line, markers: t.markers}
	switch kind := t.Kind(); {
	case step == "items" && kind == KindList:
		below.Node = s.Items.Schema
	case step == "values" && kind == KindMap:
		below.Node = s.AdditionalProperties.Schema
	case strings.HasPrefix(step, ".") && kind == KindStruct:
		return below.field(s, step[1:], rest, do)
	default:
		return fmt.Errorf("%q does not apply here: this is %s", step, kind.Article())
	}
	return below.Below(rest, do)
}

// field applies a change to a field of a field. It changes only this field's copy of the struct.
func (t *Target) field(owner *spec.Schema, name string, rest []string, do func(*Target) error) error {
	property, ok := owner.Properties[name]
	if !ok {
		return fmt.Errorf("%q: no such field here; accepted: %s", "."+name, PropertyNames(owner))
	}
	property = *Clone(&property)
	t.Node, t.Owner, t.Field = &property, owner, &Field{Name: name}
	if err := t.Below(rest, do); err != nil {
		return err
	}
	if required := t.Field.Required; required != nil {
		owner.Required = slices.DeleteFunc(slices.Clone(owner.Required), func(other string) bool { return other == name })
		if *required {
			owner.Required = append(owner.Required, name)
		}
	}
	if strip := t.Field.StripZero; strip != nil {
		delete(property.Extensions, openapi.XStripZero)
		if *strip {
			SetExtension(&property, openapi.XStripZero, true)
		}
	}
	t.DropZeroDefault()
	owner.Properties[name] = property
	return nil
}

// DropZeroDefault removes a default that is the zero value from a required field that strips zeros.
// With it, a missing field would be filled in instead of reported.
func (t *Target) DropZeroDefault() {
	strips, _ := t.Node.Extensions.GetBool(openapi.XStripZero)
	if required := t.Field.Required; strips && required != nil && *required && view.Zero(t.Node.Default) {
		t.Node.Default = nil
	}
}
