package kep4153

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// rawText is an argument that the marker parses itself.
type rawText string

// ParseMarker implements the hook of controller-tools' parser.
func (r *rawText) ParseMarker(_, _, argument string) error {
	*r = rawText(argument)
	return nil
}

// fieldMarkers define presence and defaults of fields.
func fieldMarkers() []definition {
	return []definition{
		{name: "required", group: "presence", onField: true, apply: setPresence(true)},
		{name: "optional", group: "presence", onField: true, remark: true, apply: setPresence(false)},
		{name: "stripZero", argument: flag(true), onField: true, remark: true, apply: func(t *target.Target, value any) error {
			strip := bool(value.(flag))
			t.Field.StripZero = &strip
			return nil
		}},
		{name: "default", argument: rawText(""), remark: true, apply: applyDefault},
	}
}

func setPresence(required bool) func(*target.Target, any) error {
	return func(t *target.Target, _ any) error {
		t.Field.Required = &required
		return nil
	}
}

// applyDefault sets the default beside a $ref instead of copying the definition, because a default
// does not change which values are valid.
func applyDefault(t *target.Target, value any) error {
	argument := string(value.(rawText))
	if name, ok := strings.CutPrefix(argument, "ref("); ok {
		constant, err := t.Constant(strings.TrimSuffix(name, ")"))
		if err != nil {
			return fmt.Errorf("+default: %w", err)
		}
		t.Node.Default = constant
		return nil
	}
	parsed, err := marker.JSON([]byte(argument))
	if err != nil {
		return fmt.Errorf("+default takes JSON (text in double quotes) or ref(Constant), got %s", argument)
	}
	if err := fits(t.Kind(), parsed); err != nil {
		return fmt.Errorf("+default: %w", err)
	}
	t.Node.Default = parsed
	return nil
}
