package kep4153

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// keyMarkers constrain the keys of a map.
func keyMarkers() []definition {
	onMaps := []target.Kind{target.KindMap}
	return []definition{
		{name: "keys:format", argument: "", on: onMaps, apply: applyKeyFormat},
		{name: "keys:pattern", argument: "", on: onMaps, apply: func(t *target.Target, value any) error {
			pattern := text(value)
			if _, err := regexp.Compile(pattern); err != nil {
				return fmt.Errorf("+keys:pattern: %w", err)
			}
			addKeyRule(t, fmt.Sprintf("key.matches(%s)", strconv.Quote(pattern)), "must match "+pattern)
			return nil
		}},
		{name: "keys:minLength", argument: int(0), on: onMaps, apply: func(t *target.Target, value any) error {
			addKeyRule(t, fmt.Sprintf("size(key) >= %d", value), fmt.Sprintf("must have at least %d characters", value))
			return nil
		}},
		{name: "keys:maxLength", argument: int(0), on: onMaps, apply: func(t *target.Target, value any) error {
			addKeyRule(t, fmt.Sprintf("size(key) <= %d", value), fmt.Sprintf("must have at most %d characters", value))
			return nil
		}},
	}
}

func applyKeyFormat(t *target.Target, value any) error {
	format := formats.Of(text(value))
	if format.Violations == nil {
		names := formats.Names(func(f formats.Format) bool { return f.Violations != nil })
		return fmt.Errorf("+keys:format: unknown format %q; accepted: %s", text(value), strings.Join(names, ", "))
	}
	validate := "format." + format.CEL + "().validate(key)"
	target.AddRule(t.Schema(), map[string]any{
		"rule": fmt.Sprintf("self.all(key, !%s.hasValue())", validate),
		"messageExpression": fmt.Sprintf("self.filter(key, %s.hasValue()).map(key, key + ': ' + %s.value().join('; ')).join(', ')",
			validate, validate),
		"reason": string(field.ErrorTypeInvalid),
	})
	return nil
}

func addKeyRule(t *target.Target, holds, message string) {
	target.AddRule(t.Schema(), map[string]any{
		"rule":              fmt.Sprintf("self.all(key, %s)", holds),
		"messageExpression": fmt.Sprintf("self.filter(key, !(%s)).join(', ') + %s", holds, strconv.Quote(": "+message)),
		"reason":            string(field.ErrorTypeInvalid),
	})
}
