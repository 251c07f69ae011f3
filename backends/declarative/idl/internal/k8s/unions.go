package k8s

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/gengo/v2/codetags"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// unionTags returns the tags for fields of a struct, or items of a list, that exclude each other or
// depend on a discriminator.
func (k *dialect) unionTags() map[string]definition {
	return map[string]definition{
		"k8s:unionMember":        {onField: true, apply: k.unionMember("union")},
		"k8s:zeroOrOneOfMember":  {onField: true, apply: k.unionMember("zeroOrOneOf")},
		"k8s:unionDiscriminator": {onField: true, on: []target.Kind{target.KindText}, apply: k.applyUnionDiscriminator},
		"k8s:modeDiscriminator": {onField: true, on: []target.Kind{target.KindText, target.KindBool}, remark: true,
			apply: k.applyDiscriminator},
		// Its name until 1.36.
		"k8s:discriminator": {onField: true, on: []target.Kind{target.KindText, target.KindBool, target.KindNumber},
			remark: true, apply: k.applyDiscriminator},
	}
}

// member is a member of a union, and the value of the discriminator that selects it.
type member struct{ field, value string }

// union is a union of upstream's tags in a struct.
type union struct {
	at            strictyaml.Position
	discriminator string
	members       []member
}

// group is a discriminator and the fields whose validation depends on it.
type group struct {
	at            strictyaml.Position
	discriminator string
	kind          target.Kind
	cases         []memberCase
}

// memberCase is a validation of a field for one value of the discriminator. takes is false if the
// stage or an option excludes it.
type memberCase struct {
	at           strictyaml.Position
	field, value string
	tag          codetags.Tag
	takes        bool
}

func named(tag codetags.Tag, name string) string {
	argument, _ := tag.NamedArg(name)
	return argument.Value
}

// structNotes are the unions and groups of a struct.
type structNotes struct {
	unions map[string]*union
	groups map[string]*group
}

// notes returns the unions and groups of the struct that a field is in. Their rules are written when
// all markers of the struct are known.
func (k *dialect) notes(t *target.Target) *structNotes {
	notes := target.StructNotes[structNotes](t.Struct())
	if notes.unions == nil {
		notes.unions, notes.groups = map[string]*union{}, map[string]*group{}
		schemas, owner := t.Schemas, t.Owner
		t.Struct().AfterMarkers(t.At, func() error {
			k.finish(schemas, owner, notes)
			return nil
		})
	}
	return notes
}

// unionOf returns a union of the struct that a field is in. kind distinguishes unions with exactly one
// member from those with at most one.
func (k *dialect) unionOf(t *target.Target, kind string, tag codetags.Tag) *union {
	all, key := k.notes(t).unions, kind+" "+named(tag, "union")
	if all[key] == nil {
		all[key] = &union{at: t.At}
	}
	return all[key]
}

func (k *dialect) unionMember(kind string) func(*target.Target, codetags.Tag) error {
	return func(t *target.Target, tag codetags.Tag) error {
		u := k.unionOf(t, kind, tag)
		goName := t.Struct().GoNames[t.Field.Name]
		u.members = append(u.members, member{t.Field.Name, cmp.Or(named(tag, "memberName"), goName)})
		return nil
	}
}

func (k *dialect) applyUnionDiscriminator(t *target.Target, tag codetags.Tag) error {
	u := k.unionOf(t, "union", tag)
	if u.discriminator != "" {
		return fmt.Errorf("+k8s:unionDiscriminator is already on %s", u.discriminator)
	}
	u.discriminator = t.Field.Name
	return nil
}

// groupOf returns a group of the struct that a field is in.
func (k *dialect) groupOf(t *target.Target, name string) *group {
	all := k.notes(t).groups
	if all[name] == nil {
		all[name] = &group{at: t.At}
	}
	return all[name]
}

func (k *dialect) applyDiscriminator(t *target.Target, tag codetags.Tag) error {
	group := k.groupOf(t, cmp.Or(named(tag, "modality"), named(tag, "name")))
	if group.discriminator != "" {
		return fmt.Errorf("+%s is already on %s", tag.Name, group.discriminator)
	}
	group.discriminator, group.kind = t.Field.Name, t.Kind()
	return nil
}

func (k *dialect) applyMember(t *target.Target, tag codetags.Tag) error {
	value := cmp.Or(named(tag, "mode"), named(tag, "value"))
	if positional, ok := tag.PositionalArg(); ok {
		value = positional.Value
	}
	if value == "" {
		return fmt.Errorf("+%[1]s needs a value of the discriminator: +%[1]s(\"Value\")=+k8s:…", tag.Name)
	}
	group := k.groupOf(t, cmp.Or(named(tag, "modality"), named(tag, "discriminator")))
	payload, takes := *tag.ValueTag, true
	for takes && isCondition(payload) {
		takes, payload = k.takes(payload), *payload.ValueTag
	}
	group.cases = append(group.cases, memberCase{t.At, t.Field.Name, value, payload, takes})
	return nil
}

// finish writes the rules of the unions and groups of a struct.
func (k *dialect) finish(schemas *target.Schemas, owner *spec.Schema, notes *structNotes) {
	for _, key := range slices.Sorted(maps.Keys(notes.unions)) {
		u := notes.unions[key]
		schemas.RecordRules(owner, u.at, func() { finishUnion(schemas, owner, key, u) })
	}
	for _, name := range slices.Sorted(maps.Keys(notes.groups)) {
		k.finishGroup(schemas, owner, notes.groups[name])
	}
}

func finishUnion(schemas *target.Schemas, owner *spec.Schema, key string, u *union) {
	switch {
	case len(u.members) == 0:
		schemas.Fail(u.at, "", errors.New("+k8s:unionDiscriminator is in a struct without +k8s:unionMember of the union"))
	case strings.HasPrefix(key, "zeroOrOneOf"):
		target.AddRule(owner, countRule(u.members, "<= 1", "must specify at most one of: "))
	case u.discriminator == "":
		target.AddRule(owner, countRule(u.members, ">= 1", "must specify one of: "))
		target.AddRule(owner, countRule(u.members, "<= 1", "must specify exactly one of: "))
	default:
		for _, member := range u.members {
			addDiscriminated(owner, u.discriminator, member)
		}
	}
}

func countRule(members []member, holds, message string) map[string]any {
	var names, shown []string
	for _, each := range members {
		names, shown = append(names, each.field), append(shown, "`"+each.field+"`")
	}
	return map[string]any{
		"rule":    target.CountSet(names) + " " + holds,
		"message": message + strings.Join(shown, ", "), "reason": string(field.ErrorTypeInvalid),
	}
}

// addDiscriminated adds the rules of validate.DiscriminatedUnion for one member.
func addDiscriminated(owner *spec.Schema, discriminator string, each member) {
	chosen := fmt.Sprintf("has(self.%[1]s) && self.%[1]s == %[2]s", celexpr.Escape(discriminator), target.CELText(each.value))
	name := celexpr.Escape(each.field)
	for _, rule := range []struct{ holds, message string }{
		{fmt.Sprintf("!has(self.%s) || (%s)", name, chosen), "may only be specified when `%s` is %q"},
		{fmt.Sprintf("!(%s) || has(self.%s)", chosen, name), "must be specified when `%s` is %q"},
	} {
		target.AddRule(owner, map[string]any{
			"rule":    rule.holds,
			"message": fmt.Sprintf(rule.message, discriminator, each.value), "reason": string(field.ErrorTypeInvalid),
			"fieldPath": target.ChildPath(each.field),
		})
	}
}

// finishGroup adds the rules of validate.Discriminated: the value of the discriminator selects the
// validations of a field, and a value without validations forbids the field.
func (k *dialect) finishGroup(schemas *target.Schemas, owner *spec.Schema, group *group) {
	if group.discriminator == "" {
		schemas.Fail(group.at, "", errors.New("+k8s:ifMode is in a struct without +k8s:modeDiscriminator"))
		return
	}
	byField := map[string][]memberCase{}
	for _, each := range group.cases {
		byField[each.field] = append(byField[each.field], each)
	}
	for _, name := range slices.Sorted(maps.Keys(byField)) {
		var values []string
		for _, each := range byField[name] {
			values = append(values, group.literal(each.value))
			schemas.RecordRules(owner, each.at, func() {
				if err := k.addCase(owner, group, each); err != nil {
					schemas.Fail(each.at, "+k8s:ifMode", err)
				}
			})
		}
		slices.Sort(values)
		at := celexpr.Escape(group.discriminator)
		schemas.RecordRules(owner, byField[name][0].at, func() {
			target.AddRule(owner, map[string]any{
				"rule": fmt.Sprintf("!has(self.%s) || has(self.%[2]s) && self.%[2]s in [%[3]s]", celexpr.Escape(name), at,
					strings.Join(slices.Compact(values), ", ")),
				"message": "may not be set", "reason": string(field.ErrorTypeForbidden), "fieldPath": target.ChildPath(name),
			})
		})
	}
}

// literal returns a value of the discriminator in CEL.
func (g *group) literal(value string) string {
	if g.kind == target.KindText {
		return target.CELText(value)
	}
	return value
}

func (k *dialect) addCase(owner *spec.Schema, group *group, each memberCase) error {
	if !each.takes || each.tag.Name == "k8s:optional" {
		return nil
	}
	at := "self." + celexpr.Escape(each.field)
	c := &condition{}
	switch each.tag.Name {
	case "k8s:required":
		c = &condition{"has(" + at + ")", "is required", field.ErrorTypeRequired}
	case "k8s:forbidden":
		c = &condition{"!has(" + at + ")", "may not be set", field.ErrorTypeForbidden}
	default:
		inner, err := k.condition(each.tag, at)
		if err != nil || inner == nil {
			return err
		}
		*c = *inner
		c.holds = fmt.Sprintf("!has(%s) || %s", at, inner.holds)
	}
	rule := c.rule()
	rule["rule"] = fmt.Sprintf("!(has(self.%[1]s) && self.%[1]s == %[2]s) || (%[3]s)", celexpr.Escape(group.discriminator),
		group.literal(each.value), c.holds)
	rule["fieldPath"] = target.ChildPath(each.field)
	target.AddRule(owner, rule)
	return nil
}
