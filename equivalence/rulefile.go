package equivalence

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// exampleField is the field of the errors of examples if neither the rule nor the example names one.
const exampleField = "spec.field"

type ruleEntry struct {
	Position         strictyaml.Position `yaml:"-"`
	Name             string              `yaml:"name"`
	Why              string              `yaml:"why"`
	Target           targetPattern       `yaml:"target"`
	Type             *errorType          `yaml:"type"`
	NativeType       *errorType          `yaml:"nativeType"`
	DeclarativeType  *errorType          `yaml:"declarativeType"`
	Native           *string             `yaml:"native"`
	Declarative      *string             `yaml:"declarative"`
	Field            fieldPattern        `yaml:"field"`
	NativeField      string              `yaml:"nativeField"`
	DeclarativeField string              `yaml:"declarativeField"`
	Unordered        []string            `yaml:"unordered"`
	Schema           map[string]string   `yaml:"schema"`
	Value            string              `yaml:"value"`
	Amount           amount              `yaml:"amount"`
	Text             string              `yaml:"text"`
	Hides            hiddenPart          `yaml:"hides"`
	Joins            *sideName           `yaml:"joins"`
	Separator        string              `yaml:"separator"`
	Repeats          *sideName           `yaml:"repeats"`
	Examples         struct {
		Match  []exampleEntry `yaml:"match"`
		Differ []exampleEntry `yaml:"differ"`
	} `yaml:"examples"`
}

// sameText is the value of the key text for equal texts.
const sameText = "same"

// LoadRules reads a list of rules (docs/reference/rules.md). It compiles every rule, rejects patterns
// that are too broad, and checks the rule against its own examples. The error is a userfile.Mistakes that
// lists everything that is wrong. A file with only comments has no rules.
func LoadRules(file string, data []byte) (*RuleSet, error) { return loadRules(file, data, ofUsers) }

func loadRules(file string, data []byte, origin ruleOrigin) (*RuleSet, error) {
	var mistakes strictyaml.Mistakes
	set, named := &RuleSet{}, map[string]strictyaml.Position{}
	if strictyaml.IsEmpty(data) {
		return set, nil
	}
	entries := decodeEntries[ruleEntry](file, data, &mistakes)
	if len(mistakes) == 0 && len(entries) == 0 {
		mistakes.Addf(strictyaml.Position{File: file}, "no rule; write a list, each entry with name, why, type, native, "+
			"declarative and examples")
	}
	for _, entry := range entries {
		if first, twice := named[entry.Name]; twice {
			mistakes.Merge(file, nameTaken(entry.Name, entry.Position, first))
		} else if entry.Name != "" {
			named[entry.Name] = entry.Position
		}
		builder := ruleBuilder{entry: entry, mistakes: &mistakes, origin: origin}
		if rule := builder.build(); rule != nil {
			set.rules = append(set.rules, rule)
		}
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	return set, nil
}

// errorType is a field.ErrorType that accepts only known values.
type errorType field.ErrorType

// errorTypes returns the types of apimachinery's field errors.
func errorTypes() []field.ErrorType {
	return []field.ErrorType{
		field.ErrorTypeDuplicate, field.ErrorTypeForbidden, field.ErrorTypeInternal, field.ErrorTypeInvalid,
		field.ErrorTypeNotFound, field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooFew,
		field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTooShort, field.ErrorTypeTypeInvalid,
	}
}

func (t *errorType) UnmarshalText(text []byte) error {
	var names []string
	for _, known := range errorTypes() {
		if string(known) == string(text) {
			*t = errorType(known)
			return nil
		}
		names = append(names, string(known))
	}
	return fmt.Errorf("unknown error type %q; accepted: %s", text, strings.Join(names, ", "))
}

// JSONSchema implements strictyaml.Described.
func (errorType) JSONSchema() map[string]any { return map[string]any{"enum": errorTypes()} }

// exampleEntry has the errors of each side.
type exampleEntry struct {
	native, declarative []exampleError
	listed              int // how many errors a list had; -1 for a mapping
}

// UnmarshalYAML reads [native, declarative], or a mapping with a list for each side.
func (e *exampleEntry) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.SequenceNode {
		var errs []exampleError
		err := node.Decode(&errs)
		if e.listed = len(errs); e.listed == 2 {
			e.native, e.declarative = errs[:1], errs[1:]
		}
		return err
	}
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("an example is [native, declarative], or a mapping with the keys native and declarative")
	}
	e.listed = -1
	for i := 0; i+1 < len(node.Content); i += 2 {
		var err error
		switch key := node.Content[i].Value; key {
		case "native":
			err = node.Content[i+1].Decode(&e.native)
		case "declarative":
			err = node.Content[i+1].Decode(&e.declarative)
		default:
			err = fmt.Errorf("unknown key %q; accepted: native, declarative", key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (exampleEntry) JSONSchema() map[string]any {
	side := exampleError{}.JSONSchema()
	list := map[string]any{"type": "array", "items": side}
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "array", "items": side, "minItems": 2, "maxItems": 2},
		map[string]any{"type": "object", "properties": map[string]any{"native": list, "declarative": list}, "additionalProperties": false},
	}}
}

// exampleError is an error of an example: its text, or a mapping that also describes the schema at its
// field.
type exampleError struct {
	Field, Detail string
	Value         any
	Schema        map[string]string // keywords at the field
	Declared      bool              // the schema has the field
}

const exampleKeys = "field, detail, value, schema, declared"

// JSONSchema implements strictyaml.Described.
func (exampleError) JSONSchema() map[string]any {
	text := map[string]any{"type": []string{"string", "number", "boolean", "null"}}
	kinds := map[string]map[string]any{"schema": {"type": "object"}, "value": {}, "declared": {"type": "boolean"}}
	properties := map[string]any{}
	for key := range strings.SplitSeq(exampleKeys, ", ") {
		properties[key] = text
		if kind, known := kinds[key]; known {
			properties[key] = kind
		}
	}
	return map[string]any{"anyOf": []any{text, map[string]any{"type": "object", "properties": properties, "additionalProperties": false}}}
}

// UnmarshalYAML reads a text or a mapping with exampleKeys.
func (e *exampleError) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		e.Detail = node.Value
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("an error of an example is its text, or a mapping with the keys %s", exampleKeys)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Value == "schema":
			var keywords map[string]any
			err := value.Decode(&keywords)
			if err == nil {
				e.Schema, err = schemaOfExample(keywords)
			}
			if err != nil {
				return err
			}
		case value.Kind != yaml.ScalarNode:
			return fmt.Errorf("%s of an example must be text", key.Value)
		case key.Value == "field":
			e.Field = value.Value
		case key.Value == "detail":
			e.Detail = value.Value
		case key.Value == "value":
			if err := value.Decode(&e.Value); err != nil {
				return err
			}
		case key.Value == "declared":
			if err := value.Decode(&e.Declared); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown key %q; accepted: %s", key.Value, exampleKeys)
		}
	}
	return nil
}

func (e exampleError) error(errorType field.ErrorType, otherwise string) *field.Error {
	return &field.Error{Type: errorType, Field: e.at(otherwise), Detail: e.Detail, BadValue: e.Value}
}

// at returns the field of the error, or otherwise if it has none.
func (e exampleError) at(otherwise string) string {
	if e.Field == "" {
		return otherwise
	}
	return e.Field
}

// hasNoText reports whether upstream's constructors or generated validators create errors of a type
// without a text, so that an empty pattern is meaningful.
func hasNoText(errorType field.ErrorType) bool {
	return slices.Contains([]field.ErrorType{
		field.ErrorTypeRequired,
		field.ErrorTypeDuplicate,
		field.ErrorTypeNotFound,
		field.ErrorTypeForbidden,
	}, errorType)
}
