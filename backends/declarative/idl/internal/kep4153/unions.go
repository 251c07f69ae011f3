package kep4153

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// union is a union declared by +union: exactly one of its members is set.
type union struct {
	at            strictyaml.Position // of its first marker on a field
	marker        string
	declared      bool // the type has +union
	discriminator string
	members       []unionMember
}

// unionMember is a member of a union, and the value of the discriminator that selects it.
type unionMember struct{ field, value string }

// unionNotes holds the union that markers on the fields of a struct declare.
type unionNotes struct{ union *union }

// unionOf returns the union of the struct that a field is in.
func unionOf(t *target.Target, marker string) *union {
	notes := target.StructNotes[unionNotes](t.Struct())
	if notes.union == nil {
		u := &union{at: t.At, marker: marker}
		notes.union = u
		t.Struct().AfterMarkers(t.At, func() error {
			checkDeclared(t.Schemas, u)
			return nil
		})
	}
	return notes.union
}

// checkDeclared reports a marker of a union in a struct without +union. It is a mistake, except in a
// project of controller-gen, which ignores both markers: there it is documentation without effect.
func checkDeclared(schemas *target.Schemas, u *union) {
	if u.declared {
		return
	}
	err := fmt.Errorf("+%s needs +union on the struct", u.marker)
	if schemas.ForDefinition {
		err = &target.Inexpressible{Why: err.Error()}
	}
	schemas.Fail(u.at, "+"+u.marker, err)
}

func applyUnionDiscriminator(t *target.Target, _ any) error {
	u := unionOf(t, "unionDiscriminator")
	if u.discriminator != "" {
		return fmt.Errorf("+unionDiscriminator is already on %s", u.discriminator)
	}
	u.discriminator = t.Field.Name
	return nil
}

func applyUnionMember(t *target.Target, value any) error {
	u := unionOf(t, "unionMember")
	u.members = append(u.members, unionMember{t.Field.Name, string(value.(optionalText))})
	return nil
}

// applyUnion writes a union as rules (KEP-4153: "most union validation to CEL"). Without
// +unionMember, the members are all optional fields except the discriminator. The discriminator
// value of a member is its Go field name, as in KEP-1027, unless +unionMember sets another.
func applyUnion(t *target.Target, _ any) error {
	if err := checkNotInlined(t, "union"); err != nil {
		return err
	}
	owner := t.Schema()
	state := t.Schemas.Struct(owner)
	notes := target.StructNotes[unionNotes](state)
	if notes.union == nil {
		notes.union = &union{}
	}
	u := notes.union
	u.declared = true
	members := slices.Clone(u.members)
	if len(members) == 0 {
		for _, name := range slices.Sorted(maps.Keys(owner.Properties)) {
			if name != u.discriminator && !slices.Contains(owner.Required, name) {
				members = append(members, unionMember{field: name})
			}
		}
	}
	const fewest = 2
	if len(members) < fewest && u.discriminator == "" {
		return fmt.Errorf("+union needs two members or more, or a discriminator; it has %d: fields that are optional, "+
			"or those with +unionMember", len(members))
	}
	for i := range members {
		if members[i].value == "" {
			members[i].value = state.GoNames[members[i].field]
		}
	}
	if u.discriminator == "" {
		target.AddRule(owner, exactlyOne(members))
		return nil
	}
	inner := &target.Target{Schemas: t.Schemas, Owner: owner}
	for _, each := range members {
		if err := checkValues(inner, "union", u.discriminator, []string{each.value}); err != nil {
			return fmt.Errorf("%w; name the value of the member %s: +unionMember=VALUE", err, each.field)
		}
		addContextRules(owner, each.field, contextArguments{Field: u.discriminator, Value: []string{each.value}, Required: true})
	}
	return nil
}

func exactlyOne(members []unionMember) map[string]any {
	names := make([]string, len(members))
	for i, each := range members {
		names[i] = each.field
	}
	return map[string]any{
		"rule":    target.CountSet(names) + " == 1",
		"message": "must set exactly one of: " + strings.Join(names, ", "), "reason": string(field.ErrorTypeInvalid),
	}
}
