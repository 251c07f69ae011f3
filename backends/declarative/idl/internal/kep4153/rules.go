package kep4153

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
)

// ruleParser parses the markers of CEL rules and of errors.
type ruleParser struct {
	env *cel.Env
}

func (p *ruleParser) markers() []definition {
	return []definition{
		{name: "validationRule", argument: ruleArguments{}, repeats: true, apply: p.applyRule},
		{name: "validationErrors", argument: map[string]map[string]string{}, remark: true, apply: ApplyValidationErrors},
		{name: "nameFormat", argument: "", on: []target.Kind{target.KindStruct}, apply: applyNameFormat},
	}
}

// ruleArguments are the arguments of +validationRule.
type ruleArguments struct {
	Rule              string
	Message           string `marker:",optional"`
	MessageExpression string `marker:",optional"`
	Reason            string `marker:",optional"`
	Field             string `marker:",optional"`
	FieldPath         string `marker:",optional"`
	OptionalOldSelf   *bool  `marker:",optional"`
	// Only and Except are subresources: the rule applies to their requests alone, or to all others.
	Only   []string `marker:",optional"`
	Except []string `marker:",optional"`
}

func (p *ruleParser) applyRule(t *target.Target, value any) error {
	arguments := value.(ruleArguments)
	rule := map[string]any{"rule": arguments.Rule}
	if err := p.parse("validationRule", arguments.Rule); err != nil {
		return err
	}
	if arguments.Message != "" {
		rule["message"] = arguments.Message
	}
	if arguments.MessageExpression != "" {
		if err := p.parse("messageExpression", arguments.MessageExpression); err != nil {
			return err
		}
		rule["messageExpression"] = arguments.MessageExpression
	}
	if arguments.Reason != "" {
		reason, err := reasonOf(arguments.Reason)
		if err != nil {
			return err
		}
		rule["reason"] = reason
	}
	if arguments.Field != "" && arguments.FieldPath != "" {
		return fmt.Errorf("+validationRule: field and fieldPath mean the same; set one of them")
	}
	if at := arguments.Field + arguments.FieldPath; at != "" {
		fieldPath, err := fieldPathOf(t, at)
		if err != nil {
			return err
		}
		rule["fieldPath"] = fieldPath
	}
	if arguments.OptionalOldSelf != nil {
		rule["optionalOldSelf"] = *arguments.OptionalOldSelf
	}
	if arguments.Only != nil && arguments.Except != nil {
		return fmt.Errorf("+validationRule: only already excludes all other subresources; remove except")
	}
	if arguments.Only != nil {
		rule["onlySubresources"] = arguments.Only
	}
	if arguments.Only == nil && arguments.Except == nil {
		arguments.Except = inheritedExcept(t, arguments.Field+arguments.FieldPath)
	}
	if arguments.Except != nil {
		rule["exceptSubresources"] = arguments.Except
	}
	target.AddRule(t.Schema(), rule)
	return nil
}

// inheritedExcept returns the subresources whose requests a rule does not apply to, if it names
// none itself: those of its type, apart from the one that has the field that the rule reports.
func inheritedExcept(t *target.Target, field string) []string {
	var left []string
	for _, subresource := range t.Except {
		if !strings.HasPrefix(field+".", subresource+".") {
			left = append(left, subresource)
		}
	}
	return left
}

func (p *ruleParser) parse(name, expression string) error {
	if strings.TrimSpace(expression) == "" {
		return fmt.Errorf("+%s: the expression is empty", name)
	}
	_, issues := p.env.Parse(expression)
	if issues.Err() == nil {
		return nil
	}
	return fmt.Errorf("+%s: not CEL: %s", name, marker.SyntaxErrors(issues))
}

// reasons maps the accepted reasons, the short names of KEP-4153 and the names of apimachinery, to
// types of field errors. The KEP's RequestEntityTooLarge is a reason of a status; the error of a
// field is TooLong.
func reasons() map[string]field.ErrorType {
	all := map[string]field.ErrorType{"RequestEntityTooLarge": field.ErrorTypeTooLong}
	for _, each := range []field.ErrorType{
		field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeInvalid, field.ErrorTypeDuplicate,
		field.ErrorTypeNotSupported, field.ErrorTypeNotFound, field.ErrorTypeTypeInvalid,
		field.ErrorTypeTooLong, field.ErrorTypeTooShort, field.ErrorTypeTooMany, field.ErrorTypeTooFew,
	} {
		all[string(each)] = each
		all[strings.TrimPrefix(string(each), "FieldValue")] = each
	}
	return all
}

func reasonOf(written string) (string, error) {
	if reason, ok := reasons()[written]; ok {
		return string(reason), nil
	}
	var accepted []string
	for name := range reasons() {
		if !strings.HasPrefix(name, "FieldValue") {
			accepted = append(accepted, name)
		}
	}
	slices.Sort(accepted)
	return "", fmt.Errorf("unknown reason %q; accepted: %s", written, strings.Join(accepted, ", "))
}

// fieldPathOf converts the path of a rule's error into the form of a CRD (".a.b", with a leading
// dot) and checks that the field exists.
func fieldPathOf(t *target.Target, written string) (string, error) {
	at := written
	if !strings.HasPrefix(at, ".") && !strings.HasPrefix(at, "[") {
		at = "." + at
	}
	if strings.ContainsAny(at, "[]") {
		return at, nil
	}
	s := t.Schemas.Resolve(t.Node)
	for _, name := range strings.Split(strings.TrimPrefix(at, "."), ".") {
		if target.KindOf(s) != target.KindStruct {
			return at, nil
		}
		property, ok := s.Properties[name]
		if !ok && !isOpen(s) && !isEmptied(t, s) {
			return "", fmt.Errorf("field=%q: no field %q here; accepted: %s", written, name, target.PropertyNames(s))
		}
		s = t.Schemas.Resolve(&property)
	}
	return at, nil
}

// validationKeywords returns the keywords whose errors can have a custom message.
func validationKeywords() []string {
	return []string{
		"enum", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maxLength", "maxProperties", "maximum",
		"minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern", "required", "uniqueItems", openapi.XListType,
	}
}

// ApplyValidationErrors sets x-kubernetes-validation-errors (KEP-4153), which maps keywords to
// messages and reasons.
func ApplyValidationErrors(t *target.Target, value any) error {
	written := value.(map[string]map[string]string)
	if len(written) == 0 {
		return fmt.Errorf(`+validationErrors: write {keyword: {message: "…", reason: "…"}}`)
	}
	s := t.Schema()
	overrides, _ := s.Extensions[openapi.XValidationErrors].(map[string]any)
	overrides = maps.Clone(overrides)
	if overrides == nil {
		overrides = map[string]any{}
	}
	for _, keyword := range slices.Sorted(maps.Keys(written)) {
		if !slices.Contains(validationKeywords(), keyword) {
			return fmt.Errorf("+validationErrors: unknown keyword %q; accepted: %s", keyword, strings.Join(validationKeywords(), ", "))
		}
		override := map[string]any{}
		for name, text := range written[keyword] {
			switch name {
			case "message":
				override[name] = text
			case "reason":
				reason, err := reasonOf(text)
				if err != nil {
					return fmt.Errorf("+validationErrors: %w", err)
				}
				override[name] = reason
			default:
				return fmt.Errorf("+validationErrors: unknown key %q of %s; accepted: message, reason", name, keyword)
			}
		}
		overrides[keyword] = override
	}
	target.SetExtension(s, openapi.XValidationErrors, overrides)
	return nil
}

// isEmptied reports whether a bundled rule meets a struct without fields, such as metadata inside a
// definition.
func isEmptied(t *target.Target, s *spec.Schema) bool {
	return t.Bundled && len(s.Properties) == 0
}

// isOpen reports whether a struct may have fields that its schema does not declare.
func isOpen(s *spec.Schema) bool {
	_, open := s.Extensions[openapi.XPreserveUnknownFields]
	return open || len(s.AllOf) > 0
}
