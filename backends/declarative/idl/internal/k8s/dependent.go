package k8s

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/gengo/v2/codetags"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
)

// applyDependent returns the rule of validate.DependentRequired or DependentForbidden: what holds for a sibling when
// the field is set. An update that sets and unsets neither is accepted.
func applyDependent(holds, words string, reason field.ErrorType) func(*target.Target, codetags.Tag) error {
	return func(t *target.Target, tag codetags.Tag) error {
		sibling, ok := tag.PositionalArg()
		if !ok {
			return fmt.Errorf("+%[1]s needs the JSON name of a field beside this one: +%[1]s(\"name\")", tag.Name)
		}
		schemas, owner, at := t.Schemas, t.Owner, t.At
		name, other := celexpr.Escape(t.Field.Name), celexpr.Escape(sibling.Value)
		unchanged := fmt.Sprintf("oldSelf.hasValue() && has(self.%[1]s) == oldSelf.?%[1]s.hasValue() && has(self.%[2]s) == "+
			"oldSelf.?%[2]s.hasValue()", name, other)
		trigger := t.Field.Name
		t.Struct().AfterMarkers(t.At, func() error { // the sibling may follow
			if err := target.CheckFields(owner, tag.Name, []string{sibling.Value}); err != nil {
				return err
			}
			schemas.RecordRules(owner, at, func() {
				target.AddRule(owner, map[string]any{
					"rule":            fmt.Sprintf("!has(self.%s) || "+holds+" || %s", name, other, unchanged),
					"optionalOldSelf": true,
					"message":         fmt.Sprintf("%s when %s is set", words, trigger),
					"reason":          string(reason), "fieldPath": target.ChildPath(sibling.Value),
				})
			})
			return nil
		})
		return nil
	}
}

// applyMonotonic adds the rule of validate.Monotonic.
func applyMonotonic(t *target.Target, _ codetags.Tag) error {
	target.AddRule(t.Schema(), map[string]any{
		"rule":              "self >= oldSelf",
		"message":           "may not be decreased",
		"messageExpression": "'may not be decreased from ' + string(oldSelf)",
		"reason":            string(field.ErrorTypeInvalid),
	})
	return nil
}

// applyItemUpdate adds the rule of validate.ValSliceUpdate for items of a list that has keys. In a definition the rule
// reports once, because a messageExpression returns a single text there.
func applyItemUpdate(t *target.Target, tag codetags.Tag) error {
	list, owner, schemas, name, line := t.Schema(), t.Owner, t.Schemas, t.Field.Name, t.At
	t.AfterMarkers(func() error { // the keys may follow
		keys, _ := list.Extensions[openapi.XListMapKeys].([]any)
		if len(keys) == 0 {
			return fmt.Errorf("+k8s:update=%s needs at least one +k8s:listMapKey", tag.Value)
		}
		at := celexpr.Escape(name)
		items, others, place := "self", "oldSelf", "'item ' + string(i) + ': item may not be added'"
		words := "item may not be added"
		if tag.Value == "NoRemoveItem" {
			items, others, words = "oldSelf", "self", "item may not be removed"
			place = "'item may not be removed'"
		}
		known := fmt.Sprintf("%s.?%s.orValue([]).exists(b, %s)", others, at, sameKeys(keys))
		rule := map[string]any{
			"rule":    fmt.Sprintf("%s.?%s.orValue([]).all(a, %s)", items, at, known),
			"message": words, "reason": string(field.ErrorTypeForbidden), "fieldPath": target.ChildPath(name),
		}
		if !schemas.ForDefinition {
			rule["messageExpression"] = fmt.Sprintf("%s.%s.transformList(i, a, !%s, %s)", items, at, known, place)
		}
		schemas.RecordRules(owner, line, func() { target.AddRule(owner, rule) })
		return nil
	})
	return nil
}
