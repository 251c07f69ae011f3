package k8s

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/gengo/v2/codetags"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/celexpr"
)

// applyItem applies a tag to the item of a list that some of its keys select.
func (k *dialect) applyItem(t *target.Target, tag codetags.Tag) error {
	selects, err := selector(t, tag)
	if err != nil {
		return err
	}
	payload := *tag.ValueTag
	for isCondition(payload) {
		if !k.takes(payload) {
			return nil
		}
		payload = *payload.ValueTag
	}
	switch payload.Name {
	case "k8s:unionMember", "k8s:zeroOrOneOfMember":
		return addItemMember(t, payload, selects, itemName(t, tag))
	case "k8s:immutable":
		one := fmt.Sprintf("filter(i, %s)", selects)
		rule := (&condition{fmt.Sprintf("self.%[1]s == oldSelf.%[1]s", one), "field is immutable", "FieldValueInvalid"}).rule()
		target.AddRule(t.Schema(), rule)
		return nil
	}
	c, err := k.condition(payload, "i")
	if err != nil || c == nil {
		return err
	}
	rule := c.rule()
	rule["rule"] = fmt.Sprintf("self.all(i, !(%s) || (%s))", selects, c.holds)
	target.AddRule(t.Schema(), rule)
	return nil
}

// selector writes the arguments of +k8s:item as a CEL condition on i.
func selector(t *target.Target, tag codetags.Tag) (string, error) {
	if len(tag.Args) == 0 || tag.Args[0].Name == "" {
		return "", fmt.Errorf("+k8s:item needs the keys of an item: +k8s:item(type: \"Ready\")=+k8s:…")
	}
	item := t.Schemas.Resolve(t.Schema().Items.Schema)
	if target.KindOf(item) != target.KindStruct {
		return "", fmt.Errorf("+k8s:item is for lists of structs; the items are %s", target.KindOf(item).Article())
	}
	var all []string
	for _, argument := range tag.Args {
		if err := target.CheckFields(item, "k8s:item", []string{argument.Name}); err != nil {
			return "", err
		}
		value := argument.Value
		if argument.Type == codetags.ArgTypeString {
			value = target.CELText(value)
		}
		all = append(all, fmt.Sprintf("has(i.%[1]s) && i.%[1]s == %[2]s", celexpr.Escape(argument.Name), value))
	}
	return strings.Join(all, " && "), nil
}

// itemName returns the name of an item in upstream's messages: `conditions[{"type": "Approved"}]`.
func itemName(t *target.Target, tag codetags.Tag) string {
	var keys []string
	for _, argument := range tag.Args {
		value := argument.Value
		if argument.Type == codetags.ArgTypeString {
			value = strconv.Quote(value)
		}
		keys = append(keys, strconv.Quote(argument.Name)+": "+value)
	}
	name := "{" + strings.Join(keys, ", ") + "}"
	if t.IsField() {
		name = t.Field.Name + "[" + name + "]"
	}
	return name
}

// itemUnion is a union of items of one list.
type itemUnion struct {
	node    *spec.Schema
	members []string // conditions on i
	shown   []string
}

// addItemMember adds an item to a union of the list. The rule is written when all markers of
// the list are known.
func addItemMember(t *target.Target, tag codetags.Tag, selects, shown string) error {
	s, key := t.Schema(), tag.Name+" "+named(tag, "union")
	unions := target.PlaceNotes[map[string]*itemUnion](t)
	if *unions == nil {
		*unions = map[string]*itemUnion{}
	}
	u := (*unions)[key]
	if u == nil {
		u = &itemUnion{node: s}
		(*unions)[key] = u
		t.AfterMarkers(func() error {
			u.write(tag.Name == "k8s:zeroOrOneOfMember")
			return nil
		})
	}
	u.members = append(u.members, "self.exists(i, "+selects+")")
	u.shown = append(u.shown, "`"+cmp.Or(named(tag, "memberName"), shown)+"`")
	return nil
}

func (u *itemUnion) write(zeroOrOne bool) {
	count := fmt.Sprintf("[%s].filter(set, set).size()", strings.Join(u.members, ", "))
	shown := strings.Join(u.shown, ", ")
	if zeroOrOne {
		target.AddRule(u.node, (&condition{count + " <= 1", "must specify at most one of: " + shown, "FieldValueInvalid"}).rule())
		return
	}
	target.AddRule(u.node, (&condition{count + " >= 1", "must specify one of: " + shown, "FieldValueInvalid"}).rule())
	target.AddRule(u.node, (&condition{count + " <= 1", "must specify exactly one of: " + shown, "FieldValueInvalid"}).rule())
}
