package idl

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// sugarMarkers are the short forms of KEP-4153 ("Proposal", "Improve Current Schema Quality").
// They are written as CEL rules, so the schema needs no new extension.
func sugarMarkers() []definition {
	return []definition{
		{name: "immutable", apply: applyImmutable},
		{name: "mutually_exclusive", argument: fieldNames{}, on: nil, repeats: true, apply: applyMutuallyExclusive},
		{name: "contextual", shape: "+contextual:field=discriminator,value=A;B,required=true", argument: contextArguments{}, site: onFields, repeats: true, apply: applyContextual},
		{name: "union", on: []Kind{KindStruct}, apply: applyUnion},
		{name: "unionDiscriminator", on: []Kind{KindText}, site: onFields, apply: applyUnionDiscriminator},
		{name: "unionMember", argument: optionalText(""), site: onFields, apply: applyUnionMember},
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
		return fmt.Errorf("write the names of fields with semicolons between them: a;b")
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
func applyImmutable(t *Target, _ any) error {
	if err := t.notInlined("immutable"); err != nil {
		return err
	}
	if !t.isField() {
		addRule(t.Schema(), map[string]any{
			"rule": "self == oldSelf", "message": "field is immutable", "reason": string(field.ErrorTypeInvalid),
		})
		return nil
	}
	at := celName(t.field.name)
	addRule(t.owner, map[string]any{
		"rule":    fmt.Sprintf("has(self.%[1]s) == has(oldSelf.%[1]s) && (!has(self.%[1]s) || self.%[1]s == oldSelf.%[1]s)", at),
		"message": "field is immutable", "reason": string(field.ErrorTypeInvalid), "fieldPath": childPath(t.field.name),
	})
	return nil
}

// applyMutuallyExclusive adds a rule that allows at most one of some fields. On a type it names
// the type's fields; on a field it names the fields beside it.
func applyMutuallyExclusive(t *Target, value any) error {
	names := []string(value.(fieldNames))
	if err := t.notInlined("mutually_exclusive"); err != nil {
		return err
	}
	if t.isField() {
		t.afterFields(func() error { return excludeOthers(t.owner, t.field.name, names) })
		return nil
	}
	if kind := t.Kind(); kind != KindStruct {
		return fmt.Errorf("+mutually_exclusive applies to fields and to struct types; this is %s", article(kind))
	}
	const fewest = 2
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) < fewest {
		return fmt.Errorf("+mutually_exclusive on a type needs two fields or more: +mutually_exclusive=a;b")
	}
	s := t.Schema()
	if err := haveFields(s, "mutually_exclusive", names); err != nil {
		return err
	}
	addRule(s, map[string]any{
		"rule":    countSet(names) + " <= 1",
		"message": "may set at most one of: " + strings.Join(names, ", "), "reason": string(field.ErrorTypeInvalid),
	})
	return nil
}

func excludeOthers(owner *spec.Schema, name string, others []string) error {
	if err := haveFields(owner, "mutually_exclusive", others); err != nil {
		return err
	}
	for _, other := range others {
		if other == name {
			return fmt.Errorf("+mutually_exclusive=%s: lists the field itself", name)
		}
		addRule(owner, map[string]any{
			"rule":    fmt.Sprintf("!has(self.%s) || !has(self.%s)", celName(name), celName(other)),
			"message": fmt.Sprintf("may not be specified when `%s` is set", other), "reason": string(field.ErrorTypeForbidden), "fieldPath": childPath(name),
		})
	}
	return nil
}

// countSet returns a CEL expression that counts how many fields are set.
func countSet(names []string) string {
	set := make([]string, len(names))
	for i, name := range names {
		set[i] = "has(self." + celName(name) + ")"
	}
	return "[" + strings.Join(set, ", ") + "].filter(set, set).size()"
}

// contextArguments are the arguments of +contextual.
type contextArguments struct {
	Field    string
	Value    []string
	Required bool `marker:",optional"`
}

// applyContextual adds rules that allow a field only with some values of another field, as
// KEP-4153 describes under "Unions".
func applyContextual(t *Target, value any) error {
	arguments := value.(contextArguments)
	name := t.field.name
	t.afterFields(func() error {
		if err := haveFields(t.owner, "contextual", []string{arguments.Field}); err != nil {
			return err
		}
		if err := t.haveValues("contextual", arguments.Field, arguments.Value); err != nil {
			return err
		}
		addContextRules(t.owner, name, arguments)
		return nil
	})
	return nil
}

// addContextRules adds the rules for a field that depends on the value of another field.
func addContextRules(owner *spec.Schema, name string, in contextArguments) {
	values := make([]string, len(in.Value))
	for i, each := range in.Value {
		values[i] = celText(each)
	}
	decides := celName(in.Field)
	matches := fmt.Sprintf("has(self.%[1]s) && self.%[1]s in [%[2]s]", decides, strings.Join(values, ", "))
	if len(values) == 1 {
		matches = fmt.Sprintf("has(self.%[1]s) && self.%[1]s == %[2]s", decides, values[0])
	}
	shown := strings.Join(in.Value, " or ")
	addRule(owner, map[string]any{
		"rule":    fmt.Sprintf("!has(self.%s) || (%s)", celName(name), matches),
		"message": fmt.Sprintf("may only be specified when `%s` is %s", in.Field, shown), "reason": string(field.ErrorTypeForbidden), "fieldPath": childPath(name),
	})
	if in.Required {
		addRule(owner, map[string]any{
			"rule":    fmt.Sprintf("!(%s) || has(self.%s)", matches, celName(name)),
			"message": fmt.Sprintf("must be specified when `%s` is %s", in.Field, shown), "reason": string(field.ErrorTypeRequired), "fieldPath": childPath(name),
		})
	}
}

// notInlined reports a marker on an inlined field: it would apply to the struct around it.
func (t *Target) notInlined(marker string) error {
	if t.inlined {
		return fmt.Errorf("+%s on an inlined struct would be about the struct around it; write it on the fields of the inlined type", marker)
	}
	return nil
}

// haveFields reports names that are not fields of a struct.
func haveFields(s *spec.Schema, marker string, names []string) error {
	for _, name := range names {
		if _, ok := s.Properties[name]; !ok {
			return fmt.Errorf("+%s: no field %q here; accepted: %s", marker, name, propertyNames(s))
		}
	}
	return nil
}

// haveValues reports values that a field with an enum cannot have.
func (t *Target) haveValues(marker, name string, values []string) error {
	property := t.owner.Properties[name]
	accepted := t.builder.resolve(&property).Enum
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

// childPath returns the fieldPath of a rule for a field of its schema.
func childPath(name string) string {
	if _, plain := plainPath("." + name); plain {
		return "." + name
	}
	return fmt.Sprintf("['%s']", name)
}

// celText returns a string literal in CEL.
func celText(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(value) + "'"
}
