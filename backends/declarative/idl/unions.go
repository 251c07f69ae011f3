package idl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/gengo/v2/codetags"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// union is a union declared by +union: exactly one of its members is set.
type union struct {
	at            strictyaml.Position // of its first marker on a field
	marker        string
	declared      bool // +union stands on the type
	discriminator string
	members       []unionMember
}

// unionMember is a member of a union and its value of the discriminator.
type unionMember struct{ field, value string }

// structState is what markers on fields say about their struct.
type structState struct {
	union   *union
	goNames map[string]string // by JSON name
	after   []afterFields
	// What upstream's tags say.
	unions     map[string]*k8sUnion
	groups     map[string]*k8sGroup
	conditions func(tag codetags.Tag, on string) (*condition, error)
}

// afterFields runs when all fields of a struct are known.
type afterFields struct {
	at strictyaml.Position
	do func() error
}

// state returns the state of the struct with a schema.
func (b *builder) state(owner *spec.Schema) *structState {
	if b.structs[owner] == nil {
		b.structs[owner] = &structState{goNames: map[string]string{}}
	}
	return b.structs[owner]
}

// afterFields defers a check or change that needs the other fields of the struct.
func (t *Target) afterFields(do func() error) {
	state := t.builder.state(t.owner)
	state.after = append(state.after, afterFields{t.at, do})
}

// finishFields runs the functions that were deferred until all fields of a struct are known.
func (b *builder) finishFields(owner *spec.Schema) {
	for _, each := range b.state(owner).after {
		b.notingRules(owner, each.at, func() {
			if err := each.do(); err != nil {
				b.addf(each.at, "%v", err)
			}
		})
	}
}

// finishStruct writes the rules of upstream's unions, and reports markers of a union on fields
// of a struct that is none.
func (b *builder) finishStruct(owner *spec.Schema, at strictyaml.Position) {
	b.notingRules(owner, at, func() { b.finishK8s(owner, b.state(owner)) })
	if u := b.state(owner).union; u != nil && !u.declared {
		b.unionless(u)
	}
	delete(b.structs, owner)
}

// unionless reports a marker of a union in a struct without +union. It is a mistake. In a project of
// controller-gen, which ignores both markers, it is documentation that has no effect.
func (b *builder) unionless(u *union) {
	err := fmt.Errorf("+%s needs +union on the struct", u.marker)
	if b.besideControllerGen {
		err = &inexpressible{err.Error()}
	}
	b.fail(u.at, "+"+u.marker, err)
}

func (t *Target) union(marker string) *union {
	state := t.builder.state(t.owner)
	if state.union == nil {
		state.union = &union{at: t.at, marker: marker}
	}
	return state.union
}

func applyUnionDiscriminator(t *Target, _ any) error {
	u := t.union("unionDiscriminator")
	if u.discriminator != "" {
		return fmt.Errorf("+unionDiscriminator stands on %s already", u.discriminator)
	}
	u.discriminator = t.field.name
	return nil
}

func applyUnionMember(t *Target, value any) error {
	u := t.union("unionMember")
	u.members = append(u.members, unionMember{t.field.name, string(value.(optionalText))})
	return nil
}

// applyUnion writes a union as rules (KEP-4153: "most union validation to CEL"). Without
// +unionMember, the members are all optional fields except the discriminator. The discriminator
// value of a member is its Go field name, as in KEP-1027, unless +unionMember sets another.
func applyUnion(t *Target, _ any) error {
	if err := t.notInlined("union"); err != nil {
		return err
	}
	owner := t.Schema()
	state := t.builder.state(owner)
	if state.union == nil {
		state.union = &union{}
	}
	u := state.union
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
		return fmt.Errorf("+union needs two members or more, or a discriminator; it has %d: fields that are optional, or those with +unionMember", len(members))
	}
	for i := range members {
		if members[i].value == "" {
			members[i].value = state.goNames[members[i].field]
		}
	}
	if u.discriminator == "" {
		addRule(owner, exactlyOne(members))
		return nil
	}
	inner := &Target{builder: t.builder, owner: owner}
	for _, each := range members {
		if err := inner.haveValues("union", u.discriminator, []string{each.value}); err != nil {
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
		"rule":    countSet(names) + " == 1",
		"message": "must set exactly one of: " + strings.Join(names, ", "), "reason": string(field.ErrorTypeInvalid),
	}
}
