package idl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
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
		{name: "required", group: "presence", site: onFields, apply: setPresence(true)},
		{name: "optional", group: "presence", site: onFields, remark: true, apply: setPresence(false)},
		{name: "stripZero", argument: flag(true), site: onFields, remark: true, apply: func(t *Target, value any) error {
			strip := bool(value.(flag))
			t.field.stripZero = &strip
			return nil
		}},
		{name: "default", argument: rawText(""), remark: true, apply: applyDefault},
	}
}

func setPresence(required bool) func(*Target, any) error {
	return func(t *Target, _ any) error {
		t.field.required = &required
		return nil
	}
}

// applyDefault sets the default beside a $ref instead of copying the definition, because a default
// does not change which values are valid.
func applyDefault(t *Target, value any) error {
	argument := string(value.(rawText))
	if name, ok := strings.CutPrefix(argument, "ref("); ok {
		constant, err := t.constant(strings.TrimSuffix(name, ")"))
		if err != nil {
			return fmt.Errorf("+default: %w", err)
		}
		t.node.Default = constant
		return nil
	}
	parsed, err := parseJSON([]byte(argument))
	if err != nil {
		return fmt.Errorf("+default takes JSON (text in double quotes) or ref(Constant), got %s", argument)
	}
	if err := fits(t.Kind(), parsed); err != nil {
		return fmt.Errorf("+default: %w", err)
	}
	t.node.Default = parsed
	return nil
}

// parseJSON decodes one JSON value. Integers become int64.
func parseJSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return plainNumbers(value)
}

func plainNumbers(value any) (any, error) {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole, nil
		}
		return value.Float64()
	case []any:
		for i := range value {
			plain, err := plainNumbers(value[i])
			if err != nil {
				return nil, err
			}
			value[i] = plain
		}
	case map[string]any:
		for key := range value {
			plain, err := plainNumbers(value[key])
			if err != nil {
				return nil, err
			}
			value[key] = plain
		}
	}
	return value, nil
}

// finishField decides what the markers left open (see "Zero values" in the package comment) and
// adds the field to its struct.
func (t *Target) finishField(f *goField, made shape, optional bool) {
	node, state := t.node, t.field
	required := !f.omitEmpty && made != shapeStruct && !optional
	if state.required != nil {
		required = *state.required
	}
	strip := made == shapeNumber || made == shapeBool || made == shapeOther
	implied := required && state.required == nil && node.Default == nil
	switch {
	case implied && made == shapeNumber:
		node.Default, strip = int64(0), false
	case implied && made == shapeBool:
		node.Default, strip = false, false
	case made == shapeStruct && !required && node.Default == nil && isObject(node):
		node.Default = map[string]any{}
	}
	if state.stripZero != nil {
		strip = *state.stripZero
	}
	if strip {
		setExtension(node, extStripZero, true)
	}
	settleZero(node, state)
	if required {
		t.owner.Required = append(t.owner.Required, f.jsonName)
	}
	t.owner.Properties[f.jsonName] = *node
}

// settleZero removes a default that is the zero value from a required field that strips zeros.
// With it, a missing field would be filled in instead of reported.
func settleZero(node *spec.Schema, state *fieldState) {
	if strips, _ := node.Extensions.GetBool(extStripZero); strips && state.required != nil && *state.required && view.Zero(node.Default) {
		node.Default = nil
	}
}

// isObject reports whether a struct is an object in JSON, with or without values in it. Times and
// quantities are not, and a runtime.RawExtension without a value is null.
func isObject(node *spec.Schema) bool {
	_, isRef := refName(node)
	raw, _ := node.Extensions.GetBool("x-kubernetes-preserve-unknown-fields")
	return isRef || node.Type.Contains("object") && !raw
}
