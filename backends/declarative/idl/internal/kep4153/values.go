package kep4153

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// New returns the dialect of KEP-4153.
func New() (target.Dialect, error) {
	rules, err := newRuleParser()
	if err != nil {
		return nil, err
	}
	return newTable(slices.Concat(valueMarkers(), fieldMarkers(), structureMarkers(), keyMarkers(), rules.markers(), fieldRuleMarkers()))
}

// flag is a boolean argument that may be omitted: +uniqueItems, +stripZero=false.
type flag bool

// ParseMarker implements the hook of controller-tools' parser.
func (f *flag) ParseMarker(_, name, argument string) error {
	switch argument {
	case "", "true":
		*f = true
	case "false":
		*f = false
	default:
		return fmt.Errorf("accepts true and false, got %q", argument)
	}
	return nil
}

// text returns an argument without the single quotes of the KEP.
func text(value any) string {
	s := value.(string)
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	return s
}

func valueMarkers() []definition {
	numbers := []target.Kind{target.KindNumber, target.KindIntOrString}
	texts := []target.Kind{target.KindText, target.KindIntOrString}
	return []definition{
		bound("minimum", numbers, func(s *spec.Schema) **float64 { return &s.Minimum }),
		bound("maximum", numbers, func(s *spec.Schema) **float64 { return &s.Maximum }),
		bound("multipleOf", numbers, func(s *spec.Schema) **float64 { return &s.MultipleOf }),
		toggle("exclusiveMinimum", numbers, func(s *spec.Schema) *bool { return &s.ExclusiveMinimum }),
		toggle("exclusiveMaximum", numbers, func(s *spec.Schema) *bool { return &s.ExclusiveMaximum }),
		size("minLength", texts, func(s *spec.Schema) **int64 { return &s.MinLength }),
		size("maxLength", texts, func(s *spec.Schema) **int64 { return &s.MaxLength }),
		size("minItems", []target.Kind{target.KindList}, func(s *spec.Schema) **int64 { return &s.MinItems }),
		size("maxItems", []target.Kind{target.KindList}, func(s *spec.Schema) **int64 { return &s.MaxItems }),
		size("minProperties", []target.Kind{target.KindMap, target.KindStruct}, func(s *spec.Schema) **int64 { return &s.MinProperties }),
		size("maxProperties", []target.Kind{target.KindMap, target.KindStruct}, func(s *spec.Schema) **int64 { return &s.MaxProperties }),
		toggle("uniqueItems", []target.Kind{target.KindList}, func(s *spec.Schema) *bool { return &s.UniqueItems }),
		{name: "pattern", argument: "", on: texts, apply: applyPattern},
		{name: "format", argument: "", on: []target.Kind{target.KindText}, apply: applyFormat},
		{name: "enum", argument: enumValues{}, on: []target.Kind{target.KindText, target.KindNumber, target.KindIntOrString},
			apply: applyEnum},
		toggle("nullable", nil, func(s *spec.Schema) *bool { return &s.Nullable }),
	}
}

func bound(name string, on []target.Kind, of func(*spec.Schema) **float64) definition {
	return definition{name: name, argument: float64(0), on: on, apply: func(t *target.Target, value any) error {
		limit := value.(float64)
		current := *of(t.Schema())
		if current != nil && *current == limit {
			return nil
		}
		t.Conjoin(current != nil, func(s *spec.Schema) { *of(s) = &limit })
		return nil
	}}
}

func size(name string, on []target.Kind, of func(*spec.Schema) **int64) definition {
	return definition{name: name, argument: int(0), on: on, apply: func(t *target.Target, value any) error {
		limit := int64(value.(int))
		if limit < 0 {
			return fmt.Errorf("+%s=%d: must be 0 or more", name, limit)
		}
		current := *of(t.Schema())
		if current != nil && *current == limit {
			return nil
		}
		t.Conjoin(current != nil, func(s *spec.Schema) { *of(s) = &limit })
		return nil
	}}
}

func toggle(name string, on []target.Kind, of func(*spec.Schema) *bool) definition {
	return definition{name: name, argument: flag(true), on: on, apply: func(t *target.Target, value any) error {
		*of(t.Schema()) = bool(value.(flag))
		return nil
	}}
}

func applyPattern(t *target.Target, value any) error {
	pattern := text(value)
	if _, err := regexp.Compile(pattern); err != nil {
		return fmt.Errorf("+pattern: %w", err)
	}
	current := t.Schema().Pattern
	if current != pattern {
		t.Conjoin(current != "", func(s *spec.Schema) { s.Pattern = pattern })
	}
	return nil
}

// kepFormats lists the formats that KEP-4153 adds to kube-openapi's.
func kepFormats() string {
	return strings.Join(formats.Names(func(f formats.Format) bool { return f.Proposed }), ", ")
}

func applyFormat(t *target.Target, value any) error {
	format := text(value)
	if !formats.Of(format).Proposed && !strfmt.Default.ContainsName(format) {
		return fmt.Errorf("+format: unknown format %q; accepted: %s and those of kube-openapi's strfmt (ipv4, ipv6, cidr, uri, "+
			"uuid, date-time, duration, k8s-short-name, k8s-long-name, …)",
			format, kepFormats())
	}
	current := t.Schema().Format
	if current != format {
		t.Conjoin(current != "", func(s *spec.Schema) { s.Format = format })
	}
	return nil
}

// newRuleParser returns the environment that parses rules. It reports syntax errors with their
// line. Types and functions are checked when the schema is compiled.
func newRuleParser() (*ruleParser, error) {
	env, err := cel.NewEnv(cel.OptionalTypes())
	if err != nil {
		return nil, fmt.Errorf("CEL environment to parse rules in: %w", err)
	}
	return &ruleParser{env: env}, nil
}
