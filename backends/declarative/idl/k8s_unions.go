package idl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/gengo/v2/codetags"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// unionTags say which fields of a struct, or items of a list, exclude each other, and what
// holds beside a value of another field.
func (k *k8sTags) unionTags() map[string]k8sTag {
	return map[string]k8sTag{
		"k8s:unionMember":        {site: onFields, apply: applyK8sMember("union")},
		"k8s:zeroOrOneOfMember":  {site: onFields, apply: applyK8sMember("zeroOrOneOf")},
		"k8s:unionDiscriminator": {site: onFields, on: []Kind{KindText}, apply: applyK8sUnionDiscriminator},
		"k8s:discriminator":      {site: onFields, on: []Kind{KindText, KindBool, KindNumber}, remark: true, apply: applyK8sDiscriminator},
	}
}

// k8sUnion is a union of upstream's tags in a struct.
type k8sUnion struct {
	at            strictyaml.Position
	discriminator string
	members       []unionMember
}

// k8sGroup is a discriminator and the fields whose validation depends on it.
type k8sGroup struct {
	at            strictyaml.Position
	discriminator string
	kind          Kind
	cases         []memberCase
}

// memberCase is a validation of a field for one value of the discriminator. A nil tag: the
// stage or an option leaves it out, or the field is optional then.
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

// k8sUnion gives a union of the struct that a field is in. The key tells those of which one
// member is set from those of which none may be.
func (t *Target) k8sUnion(kind string, tag codetags.Tag) *k8sUnion {
	state := t.builder.state(t.owner)
	key := kind + " " + named(tag, "union")
	if state.unions[key] == nil {
		if state.unions == nil {
			state.unions = map[string]*k8sUnion{}
		}
		state.unions[key] = &k8sUnion{at: t.at}
	}
	return state.unions[key]
}

func applyK8sMember(kind string) func(*Target, codetags.Tag) error {
	return func(t *Target, tag codetags.Tag) error {
		u := t.k8sUnion(kind, tag)
		goName := t.builder.state(t.owner).goNames[t.field.name]
		u.members = append(u.members, unionMember{t.field.name, cmp.Or(named(tag, "memberName"), goName)})
		return nil
	}
}

func applyK8sUnionDiscriminator(t *Target, tag codetags.Tag) error {
	u := t.k8sUnion("union", tag)
	if u.discriminator != "" {
		return fmt.Errorf("+k8s:unionDiscriminator stands on %s already", u.discriminator)
	}
	u.discriminator = t.field.name
	return nil
}

// k8sGroup gives a group of the struct that a field is in.
func (t *Target) k8sGroup(name string) *k8sGroup {
	state := t.builder.state(t.owner)
	if state.groups[name] == nil {
		if state.groups == nil {
			state.groups = map[string]*k8sGroup{}
		}
		state.groups[name] = &k8sGroup{at: t.at}
	}
	return state.groups[name]
}

func applyK8sDiscriminator(t *Target, tag codetags.Tag) error {
	group := t.k8sGroup(named(tag, "name"))
	if group.discriminator != "" {
		return fmt.Errorf("+k8s:discriminator stands on %s already", group.discriminator)
	}
	group.discriminator, group.kind = t.field.name, t.Kind()
	return nil
}

func (k *k8sTags) applyMember(t *Target, tag codetags.Tag) error {
	value := named(tag, "value")
	if positional, ok := tag.PositionalArg(); ok {
		value = positional.Value
	}
	if value == "" {
		return fmt.Errorf("+k8s:member needs a value of the discriminator: +k8s:member(\"Value\")=+k8s:…")
	}
	group := t.k8sGroup(named(tag, "discriminator"))
	payload, takes := *tag.ValueTag, true
	for takes && isStage(payload) {
		takes, payload = k.takes(payload), *payload.ValueTag
	}
	group.cases = append(group.cases, memberCase{t.at, t.field.name, value, payload, takes})
	t.builder.state(t.owner).conditions = k.condition
	return nil
}

// finishK8s writes the rules of unions and groups when all fields of a struct are known.
func (b *builder) finishK8s(owner *spec.Schema, state *structState) {
	for _, key := range slices.Sorted(maps.Keys(state.unions)) {
		u := state.unions[key]
		b.notingRules(owner, u.at, func() { b.finishUnion(owner, key, u) })
	}
	for _, name := range slices.Sorted(maps.Keys(state.groups)) {
		b.finishGroup(owner, state, state.groups[name])
	}
}

func (b *builder) finishUnion(owner *spec.Schema, key string, u *k8sUnion) {
	switch {
	case len(u.members) == 0:
		b.addf(u.at, "+k8s:unionDiscriminator stands in a struct without +k8s:unionMember of the union")
	case strings.HasPrefix(key, "zeroOrOneOf"):
		addRule(owner, countRule(u.members, "<= 1", "must specify at most one of: "))
	case u.discriminator == "":
		addRule(owner, countRule(u.members, ">= 1", "must specify one of: "))
		addRule(owner, countRule(u.members, "<= 1", "must specify exactly one of: "))
	default:
		for _, member := range u.members {
			addDiscriminated(owner, u.discriminator, member)
		}
	}
}

func countRule(members []unionMember, holds, message string) map[string]any {
	var names, shown []string
	for _, each := range members {
		names, shown = append(names, each.field), append(shown, "`"+each.field+"`")
	}
	return map[string]any{
		"rule":    countSet(names) + " " + holds,
		"message": message + strings.Join(shown, ", "), "reason": string(field.ErrorTypeInvalid),
	}
}

// addDiscriminated writes what validate.DiscriminatedUnion checks of one member.
func addDiscriminated(owner *spec.Schema, discriminator string, member unionMember) {
	chosen := fmt.Sprintf("has(self.%[1]s) && self.%[1]s == %[2]s", celName(discriminator), celText(member.value))
	name := celName(member.field)
	for _, rule := range []struct{ holds, message string }{
		{fmt.Sprintf("!has(self.%s) || (%s)", name, chosen), "may only be specified when `%s` is %q"},
		{fmt.Sprintf("!(%s) || has(self.%s)", chosen, name), "must be specified when `%s` is %q"},
	} {
		addRule(owner, map[string]any{
			"rule":    rule.holds,
			"message": fmt.Sprintf(rule.message, discriminator, member.value), "reason": string(field.ErrorTypeInvalid), "fieldPath": childPath(member.field),
		})
	}
}

// finishGroup writes what validate.Discriminated checks: a field is held to the validations of
// the discriminator's value, and is forbidden beside a value that has none.
func (b *builder) finishGroup(owner *spec.Schema, state *structState, group *k8sGroup) {
	if group.discriminator == "" {
		b.addf(group.at, "+k8s:member stands in a struct without +k8s:discriminator")
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
			b.notingRules(owner, each.at, func() {
				if err := addCase(owner, state, group, each); err != nil {
					b.fail(each.at, "+k8s:member", err)
				}
			})
		}
		slices.Sort(values)
		at := celName(group.discriminator)
		b.notingRules(owner, byField[name][0].at, func() {
			addRule(owner, map[string]any{
				"rule":    fmt.Sprintf("!has(self.%s) || has(self.%[2]s) && self.%[2]s in [%[3]s]", celName(name), at, strings.Join(slices.Compact(values), ", ")),
				"message": "may not be set", "reason": string(field.ErrorTypeForbidden), "fieldPath": childPath(name),
			})
		})
	}
}

// literal is a value of the discriminator in CEL.
func (g *k8sGroup) literal(value string) string {
	if g.kind == KindText {
		return celText(value)
	}
	return value
}

func addCase(owner *spec.Schema, state *structState, group *k8sGroup, each memberCase) error {
	if !each.takes || each.tag.Name == "k8s:optional" {
		return nil
	}
	at := "self." + celName(each.field)
	c := &condition{}
	switch each.tag.Name {
	case "k8s:required":
		c = &condition{"has(" + at + ")", "is required", field.ErrorTypeRequired}
	case "k8s:forbidden":
		c = &condition{"!has(" + at + ")", "may not be set", field.ErrorTypeForbidden}
	default:
		inner, err := state.conditions(each.tag, at)
		if err != nil || inner == nil {
			return err
		}
		*c = *inner
		c.holds = fmt.Sprintf("!has(%s) || %s", at, inner.holds)
	}
	rule := c.rule()
	rule["rule"] = fmt.Sprintf("!(has(self.%[1]s) && self.%[1]s == %[2]s) || (%[3]s)", celName(group.discriminator), group.literal(each.value), c.holds)
	rule["fieldPath"] = childPath(each.field)
	addRule(owner, rule)
	return nil
}
