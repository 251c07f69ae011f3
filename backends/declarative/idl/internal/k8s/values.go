package k8s

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/gengo/v2/codetags"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kep4153"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
)

// valueTags constrain a value by itself.
func (k *dialect) valueTags() map[string]definition {
	numbers, texts, lists := []target.Kind{
		target.KindNumber,
		target.KindIntOrString,
	}, []target.Kind{target.KindText}, []target.Kind{target.KindList}
	return map[string]definition{
		"k8s:minimum":    {payload: valuePayload, on: numbers, apply: k.asKEP},
		"k8s:maximum":    {payload: valuePayload, on: numbers, apply: k.asKEP},
		"k8s:minLength":  {payload: valuePayload, on: texts, apply: k.asKEP},
		"k8s:maxLength":  {payload: valuePayload, on: texts, apply: k.asKEP},
		"k8s:maxBytes":   {payload: valuePayload, on: texts, apply: k.asRule},
		"k8s:minItems":   {payload: valuePayload, on: lists, apply: k.asKEP},
		"k8s:maxItems":   {payload: valuePayload, on: lists, apply: k.asKEP},
		"k8s:listType":   {payload: valuePayload, on: lists, apply: k.asKEP},
		"k8s:listMapKey": {payload: valuePayload, on: lists, remark: true, apply: k.applyListMapKey},
		"k8s:unique":     {payload: valuePayload, on: lists, apply: applyUnique},
		"k8s:neq":        {payload: valuePayload, on: []target.Kind{target.KindText, target.KindNumber, target.KindBool}, apply: k.asRule},
		"k8s:format":     {payload: valuePayload, on: texts, apply: k.applyFormat},
		"k8s:enum":       {on: texts, apply: k.applyEnum},
	}
}

// fieldTags are about the presence of a field, and about updates.
func (k *dialect) fieldTags() map[string]definition {
	return map[string]definition{
		"k8s:required":           {onField: true, apply: k.asKEP},
		"k8s:optional":           {onField: true, remark: true, apply: k.asKEP},
		"k8s:forbidden":          {onField: true, apply: applyForbidden},
		"k8s:immutable":          {apply: k.asKEP},
		"k8s:update":             {payload: valuePayload, onField: true, apply: applyUpdate},
		"k8s:monotonic":          {on: []target.Kind{target.KindNumber}, apply: applyMonotonic},
		opaqueType:               {apply: applyOpaque},
		"k8s:dependentRequired":  {onField: true, apply: applyDependent("has(self.%s)", "must be set", field.ErrorTypeRequired)},
		"k8s:dependentForbidden": {onField: true, apply: applyDependent("!has(self.%s)", "may not be set", field.ErrorTypeForbidden)},
	}
}

// opaqueType is the tag that leaves out the validations of a field's type. Those of the field come
// after it.
const opaqueType = "k8s:opaqueType"

func applyOpaque(t *target.Target, _ codetags.Tag) error {
	t.Schemas.Opaque(t.Node)
	return nil
}

// asKEP applies the marker of KEP-4153 with the same name.
func (k *dialect) asKEP(t *target.Target, tag codetags.Tag) error {
	text := "+" + strings.TrimPrefix(tag.Name, "k8s:")
	if tag.ValueType != codetags.ValueTypeNone {
		text += "=" + tag.Value
	}
	marker, err := k.kep.Parse(text)
	if err == nil {
		err = marker.Apply(t)
	}
	if err != nil {
		return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "+"+strings.TrimPrefix(tag.Name, "k8s:"), "+"+tag.Name))
	}
	return asUpstreamReports(t, tag.Name)
}

// asUpstreamReports sets the error type of a keyword to the one that upstream uses, where OpenAPI
// uses Invalid.
func asUpstreamReports(t *target.Target, name string) error {
	reasons := map[string]field.ErrorType{"k8s:minLength": field.ErrorTypeTooShort, "k8s:minItems": field.ErrorTypeTooFew}
	reason, other := reasons[name]
	if !other {
		return nil
	}
	return kep4153.ApplyValidationErrors(t, map[string]map[string]string{strings.TrimPrefix(name, "k8s:"): {"reason": string(reason)}})
}

// asRule applies a tag that is a rule on the value.
func (k *dialect) asRule(t *target.Target, tag codetags.Tag) error {
	c, err := k.condition(tag, "self")
	if err != nil || c == nil {
		return err
	}
	target.AddRule(t.Schema(), c.rule())
	return nil
}

// applyListMapKey adds a key, once: many lists of Kubernetes have +listMapKey beside it.
func (k *dialect) applyListMapKey(t *target.Target, tag codetags.Tag) error {
	keys, _ := t.Node.Extensions[openapi.XListMapKeys].([]any)
	if slices.Contains(keys, any(tag.Value)) {
		return nil
	}
	return k.asKEP(t, tag)
}

// applyUnique requires unique items. It adds a rule unless the list type requires them already. It
// does not set the list type, which would also change how the list is merged.
func applyUnique(t *target.Target, tag codetags.Tag) error {
	if tag.Value != "set" && tag.Value != "map" {
		return fmt.Errorf("+k8s:unique=%s: accepted: set, map", tag.Value)
	}
	s, node := t.Schema(), t.Node
	t.AfterMarkers(func() error { // the keys may follow
		if node.Extensions[openapi.XListType] == tag.Value {
			return nil // the list type requires it
		}
		return addUniqueRule(t.Schemas, s, tag)
	})
	return nil
}

// addUniqueRule adds the rule. It reports each item that equals an earlier one. In a definition it
// reports once, because a messageExpression returns a single text there.
func addUniqueRule(schemas *target.Schemas, s *spec.Schema, tag codetags.Tag) error {
	const words = "must not have duplicates"
	rule := map[string]any{"message": words, "reason": string(field.ErrorTypeDuplicate)}
	equal := "a == b"
	if tag.Value == "map" {
		keys, _ := s.Extensions[openapi.XListMapKeys].([]any)
		if s.Extensions[openapi.XListType] != "map" {
			delete(s.Extensions, openapi.XListMapKeys) // they are not keys of the list type
		}
		if len(keys) == 0 {
			return fmt.Errorf("+k8s:unique=map needs at least one +k8s:listMapKey")
		}
		equal = sameKeys(keys)
	}
	rule["rule"] = fmt.Sprintf("self.all(a, self.exists_one(b, %s))", equal)
	if !schemas.ForDefinition {
		rule["messageExpression"] = fmt.Sprintf("self.transformList(i, a, self.exists(j, b, j < i && %s), '%s')", equal, words)
	}
	target.AddRule(s, rule)
	return nil
}

// sameKeys returns the condition that items a and b have the same keys.
func sameKeys(keys []any) string {
	same := make([]string, len(keys))
	for i, key := range keys {
		name := celexpr.Escape(fmt.Sprint(key))
		same[i] = fmt.Sprintf("(has(a.%[1]s) == has(b.%[1]s) && (!has(a.%[1]s) || a.%[1]s == b.%[1]s))", name)
	}
	return strings.Join(same, " && ")
}

func (k *dialect) applyEnum(t *target.Target, _ codetags.Tag) error {
	if t.Constants == nil {
		return fmt.Errorf("+k8s:enum is for types with constants")
	}
	values, err := t.Constants(k.excluded)
	if err != nil {
		return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "+enum", "+k8s:enum"))
	}
	return kep4153.SetEnum(t, values)
}

// excluded reports whether the markers of a constant remove it from the enum.
func (k *dialect) excluded(lines []marker.Line) bool {
	return slices.ContainsFunc(lines, func(each marker.Line) bool {
		tag, err := codetags.Parse(strings.TrimPrefix(each.Text, "+"))
		if err != nil {
			return false
		}
		for ; tag.ValueTag != nil; tag = *tag.ValueTag {
			if !k.takes(tag) {
				return false
			}
		}
		return tag.Name == "k8s:enumExclude"
	})
}

func applyForbidden(t *target.Target, _ codetags.Tag) error {
	// The rule is on the value itself, so that an update may keep a value that is set.
	target.AddRule(t.Schema(), map[string]any{"rule": "false", "message": "may not be set", "reason": string(field.ErrorTypeForbidden)})
	return nil
}

func applyUpdate(t *target.Target, tag codetags.Tag) error {
	var holds, message string
	switch tag.Value {
	case "NoAddItem", "NoRemoveItem":
		return applyItemUpdate(t, tag)
	case "NoSet":
		holds, message = "has(oldSelf.%[1]s) || !has(self.%[1]s)", "field cannot be set once created"
	case "NoUnset":
		holds, message = "!has(oldSelf.%[1]s) || has(self.%[1]s)", "field cannot be cleared once set"
	case "NoModify":
		holds, message = "!has(oldSelf.%[1]s) || !has(self.%[1]s) || self.%[1]s == oldSelf.%[1]s", "field cannot be modified once set"
	default:
		return fmt.Errorf("+k8s:update=%s: accepted: NoSet, NoUnset, NoModify, NoAddItem, NoRemoveItem", tag.Value)
	}
	target.AddRule(t.Owner, map[string]any{
		"rule":    fmt.Sprintf(holds, celexpr.Escape(t.Field.Name)),
		"message": message, "reason": string(field.ErrorTypeInvalid), "fieldPath": target.ChildPath(t.Field.Name),
	})
	return nil
}

// condition is a validation as a CEL expression.
type condition struct {
	holds, message string
	reason         field.ErrorType
}

func (c *condition) rule() map[string]any {
	return map[string]any{"rule": c.holds, "message": c.message, "reason": string(c.reason)}
}

// condition returns a tag as a condition on a CEL expression, for keys of a map, items of a list, and
// fields that depend on a discriminator. It returns nil if the stage or an option excludes the tag.
func (k *dialect) condition(tag codetags.Tag, on string) (*condition, error) {
	switch tag.Name {
	case "k8s:alpha", "k8s:beta", "k8s:ifEnabled", "k8s:ifDisabled":
		if !k.takes(tag) {
			return nil, nil
		}
		return k.condition(*tag.ValueTag, on)
	case "k8s:subfield":
		return k.subfieldCondition(tag, on)
	case "k8s:format":
		holds, err := formatCondition(tag.Value, on)
		return &condition{holds, "must be of format " + tag.Value, field.ErrorTypeInvalid}, err
	case "k8s:neq":
		literal, shown := tag.Value, tag.Value
		if tag.ValueType == codetags.ValueTypeString {
			literal, shown = target.CELText(tag.Value), strconv.Quote(tag.Value)
		}
		return &condition{on + " != " + literal, "must not be equal to " + shown, field.ErrorTypeInvalid}, nil
	}
	return boundCondition(tag, on)
}

func boundCondition(tag codetags.Tag, on string) (*condition, error) {
	bound, err := strconv.ParseInt(tag.Value, 0, 64)
	type row struct {
		holds, message string
		reason         field.ErrorType
	}
	rows := map[string]row{
		"k8s:minimum":   {"%s >= %d", "must be greater than or equal to %d", field.ErrorTypeInvalid},
		"k8s:maximum":   {"%s <= %d", "must be less than or equal to %d", field.ErrorTypeInvalid},
		"k8s:minLength": {"size(%s) >= %d", "must be at least %d characters", field.ErrorTypeTooShort},
		"k8s:maxLength": {"size(%s) <= %d", "may not be more than %d characters", field.ErrorTypeTooLong},
		"k8s:maxBytes":  {"size(bytes(%s)) <= %d", "may not be more than %d bytes", field.ErrorTypeTooLong},
		"k8s:minItems":  {"size(%s) >= %d", "must have at least %d items", field.ErrorTypeTooFew},
		"k8s:maxItems":  {"size(%s) <= %d", "must have at most %d items", field.ErrorTypeTooMany},
	}
	r, ok := rows[tag.Name]
	switch {
	case !ok:
		return nil, &target.Inexpressible{Why: fmt.Sprintf("+%s has no form as a rule at this place", tag.Name)}
	case err != nil:
		return nil, fmt.Errorf("+%s takes a whole number, got %q", tag.Name, tag.Value)
	}
	return &condition{fmt.Sprintf(r.holds, on, bound), fmt.Sprintf(r.message, bound), r.reason}, nil
}

func (k *dialect) subfieldCondition(tag codetags.Tag, on string) (*condition, error) {
	name, ok := tag.PositionalArg()
	if !ok {
		return nil, fmt.Errorf("+k8s:subfield needs the JSON name of a field")
	}
	at := on + "." + celexpr.Escape(name.Value)
	payload := *tag.ValueTag
	for payload.ValueTag != nil && payload.Name != "k8s:subfield" {
		if !k.takes(payload) {
			return nil, nil
		}
		payload = *payload.ValueTag
	}
	switch payload.Name {
	case "k8s:required":
		return &condition{"has(" + at + ")", name.Value + " is required", field.ErrorTypeRequired}, nil
	case "k8s:forbidden":
		return &condition{"!has(" + at + ")", name.Value + " may not be set", field.ErrorTypeForbidden}, nil
	case "k8s:optional":
		return nil, nil
	}
	inner, err := k.condition(payload, at)
	if err != nil || inner == nil {
		return nil, err
	}
	inner.holds = fmt.Sprintf("!has(%s) || %s", at, inner.holds)
	inner.message = name.Value + " " + inner.message
	return inner, nil
}
