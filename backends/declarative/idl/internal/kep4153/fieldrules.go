package kep4153

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/celexpr"
)

// fieldRuleMarkers are the short forms of KEP-4153 ("Proposal", "Improve Current Schema Quality").
// They become CEL rules, so the schema needs no new extension.
func fieldRuleMarkers() []definition {
	return []definition{
		{name: "immutable", apply: applyImmutable},
		{name: "mutually_exclusive", argument: fieldNames{}, on: nil, repeats: true, apply: applyMutuallyExclusive},
		{name: "contextual", shape: "+contextual:field=discriminator,value=A;B,required=true", argument: contextArguments{},
			onField: true, repeats: true, apply: applyContextual},
		{name: "union", on: []target.Kind{target.KindStruct}, apply: applyUnion},
		{name: "unionDiscriminator", on: []target.Kind{target.KindText}, onField: true, apply: applyUnionDiscriminator},
		{name: "unionMember", argument: optionalText(""), onField: true, apply: applyUnionMember},
	}
}

// fieldNames is an argument of JSON names, "a;b" or "{a,b}".
type fieldNames []string

// ParseMarker implements the hook of controller-tools' parser.
func (f *fieldNames) ParseMarker(_, name, argument string) error {
	list, err := markers.MakeDefinition("names", markers.DescribesField, []string{})
	if err != nil {
		return err
	}
	read, err := list.Parse("+names=" + argument)
	if err != nil {
		return fmt.Errorf("separate the names of fields with semicolons: a;b")
	}
	*f = read.([]string)
	return nil
}

// optionalText is an argument that may be left out.
type optionalText string

// ParseMarker implements the hook of controller-tools' parser.
func (o *optionalText) ParseMarker(_, _, argument string) error {
	*o = optionalText(text(strings.Trim(argument, "\"`")))
	return nil
}

// applyImmutable adds rules that forbid changing, setting and removing a value after the object
// was created.
func applyImmutable(t *target.Target, _ any) error {
	if err := checkNotInlined(t, "immutable"); err != nil {
		return err
	}
	if !t.IsField() {
		target.AddRule(t.Schema(), map[string]any{
			"rule": "self == oldSelf", "message": "field is immutable", "reason": string(field.ErrorTypeInvalid),
		})
		return nil
	}
	at := celexpr.Escape(t.Field.Name)
	target.AddRule(t.Owner, map[string]any{
		"rule":    fmt.Sprintf("has(self.%[1]s) == has(oldSelf.%[1]s) && (!has(self.%[1]s) || self.%[1]s == oldSelf.%[1]s)", at),
		"message": "field is immutable", "reason": string(field.ErrorTypeInvalid), "fieldPath": target.ChildPath(t.Field.Name),
	})
	return nil
}

// applyMutuallyExclusive adds a rule that allows at most one of some fields. On a type it names
// the type's fields; on a field it names the fields beside it.
func applyMutuallyExclusive(t *target.Target, value any) error {
	names := []string(value.(fieldNames))
	if err := checkNotInlined(t, "mutually_exclusive"); err != nil {
		return err
	}
	if t.IsField() {
		t.AfterFields(func() error { return excludeOthers(t.Owner, t.Field.Name, names) })
		return nil
	}
	if kind := t.Kind(); kind != target.KindStruct {
		return fmt.Errorf("+mutually_exclusive applies to fields and to struct types; this is %s", kind.Article())
	}
	const fewest = 2
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) < fewest {
		return fmt.Errorf("+mutually_exclusive on a type needs two fields or more: +mutually_exclusive=a;b")
	}
	s := t.Schema()
	if err := target.CheckFields(s, "mutually_exclusive", names); err != nil {
		return err
	}
	target.AddRule(s, map[string]any{
		"rule":    target.CountSet(names) + " <= 1",
		"message": "may set at most one of: " + strings.Join(names, ", "), "reason": string(field.ErrorTypeInvalid),
	})
	return nil
}

func excludeOthers(owner *spec.Schema, name string, others []string) error {
	if err := target.CheckFields(owner, "mutually_exclusive", others); err != nil {
		return err
	}
	for _, other := range others {
		if other == name {
			return fmt.Errorf("+mutually_exclusive=%s: lists the field itself", name)
		}
		target.AddRule(owner, map[string]any{
			"rule":    fmt.Sprintf("!has(self.%s) || !has(self.%s)", celexpr.Escape(name), celexpr.Escape(other)),
			"message": fmt.Sprintf("may not be specified when `%s` is set", other), "reason": string(field.ErrorTypeForbidden),
			"fieldPath": target.ChildPath(name),
		})
	}
	return nil
}

// contextArguments are the arguments of +contextual.
type contextArguments struct {
	Field    string
	Value    []string
	Required bool `marker:",optional"`
}

// applyContextual adds rules that allow a field only with some values of a second field, as
// KEP-4153 describes under "Unions".
func applyContextual(t *target.Target, value any) error {
	arguments := value.(contextArguments)
	name := t.Field.Name
	t.AfterFields(func() error {
		if err := target.CheckFields(t.Owner, "contextual", []string{arguments.Field}); err != nil {
			return err
		}
		if err := checkValues(t, "contextual", arguments.Field, arguments.Value); err != nil {
			return err
		}
		addContextRules(t.Owner, name, arguments)
		return nil
	})
	return nil
}

// addContextRules adds the rules for a field that depends on the value of a second field.
func addContextRules(owner *spec.Schema, name string, in contextArguments) {
	values := make([]string, len(in.Value))
	for i, each := range in.Value {
		values[i] = target.CELText(each)
	}
	decides := celexpr.Escape(in.Field)
	matches := fmt.Sprintf("has(self.%[1]s) && self.%[1]s in [%[2]s]", decides, strings.Join(values, ", "))
	if len(values) == 1 {
		matches = fmt.Sprintf("has(self.%[1]s) && self.%[1]s == %[2]s", decides, values[0])
	}
	shown := strings.Join(in.Value, " or ")
	target.AddRule(owner, map[string]any{
		"rule":    fmt.Sprintf("!has(self.%s) || (%s)", celexpr.Escape(name), matches),
		"message": fmt.Sprintf("may only be specified when `%s` is %s", in.Field, shown), "reason": string(field.ErrorTypeForbidden),
		"fieldPath": target.ChildPath(name),
	})
	if in.Required {
		target.AddRule(owner, map[string]any{
			"rule":    fmt.Sprintf("!(%s) || has(self.%s)", matches, celexpr.Escape(name)),
			"message": fmt.Sprintf("must be specified when `%s` is %s", in.Field, shown), "reason": string(field.ErrorTypeRequired),
			"fieldPath": target.ChildPath(name),
		})
	}
}

// checkNotInlined reports a marker on an inlined field: it would apply to the struct around it.
func checkNotInlined(t *target.Target, marker string) error {
	if t.Inlined {
		return fmt.Errorf("+%s on an inlined struct would be about the struct around it; write it on the fields of the inlined type",
			marker)
	}
	return nil
}

// checkValues reports values that a field with an enum cannot have.
func checkValues(t *target.Target, marker, name string, values []string) error {
	property := t.Owner.Properties[name]
	accepted := t.Schemas.Resolve(&property).Enum
	for _, value := range values {
		if len(accepted) > 0 && !slices.Contains(accepted, any(value)) {
			return fmt.Errorf("+%s: %q is not a value of %s; accepted: %s", marker, value, name, enumText(accepted))
		}
	}
	return nil
}

func enumText(values []any) string {
	shown := make([]string, len(values))
	for i, each := range values {
		shown[i] = fmt.Sprint(each)
	}
	return strings.Join(shown, ", ")
}
