package proof

import (
	"reflect"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
)

// The limits of one proof. If a schema exceeds them, nothing is proved.
const (
	mostSteps  = 20_000
	mostSplits = 4 // junctors whose branches are tried together
)

// Accepts reports whether a schema provably accepts every value of which something is known. The
// declaring schema is the schema of the value outside junctors. It has the type and the defaults if
// the schema is a part of it.
func Accepts(v Value, wanted Schema, declaring *spec.Schema, semantics declarative.Semantics) bool {
	p := &proof{semantics: semantics, steps: mostSteps}
	return p.accepts(v, goal{Schema: wanted, owner: declaring, declaring: declaring}, scope{depth: deepest, splits: mostSplits})
}

// Impossible reports whether there is provably no such value.
func Impossible(v Value, semantics declarative.Semantics) bool {
	p := &proof{semantics: semantics, steps: mostSteps}
	return p.impossible(v, scope{depth: deepest, splits: mostSplits})
}

type proof struct {
	semantics declarative.Semantics
	steps     int
}

// goal is a schema that should accept a value.
type goal struct {
	Schema
	// owner has the keywords of the goal. Its type and format decide how numbers are compared.
	owner *spec.Schema
	// declaring is the schema of the value outside of junctors.
	declaring *spec.Schema
}

// part returns a goal with another schema about the same value.
func (g goal) branch(s *spec.Schema) goal {
	return goal{Schema: g.in(s), owner: s, declaring: g.declaring}
}

// scope limits a part of a proof.
type scope struct {
	depth  int            // levels of fields, items and junctors
	splits int            // junctors of the value that may still be split
	split  []*spec.Schema // those that are being split
}

func (s scope) deeper() scope {
	s.depth--
	return s
}

func (p *proof) accepts(v Value, g goal, in scope) bool {
	if p.steps--; p.steps < 0 || in.depth < 0 {
		return false
	}
	g.Schema.Schema = Resolve(g.Schema.Schema, g.Definitions)
	if v.absent {
		return true
	}
	if known, accepts := p.membersAccept(v, g); known && accepts {
		return true
	}
	if p.each(v, g, in) || p.impossible(v, in.deeper()) {
		return true
	}
	return p.splitting(v, in, func(v Value, in scope) bool { return p.accepts(v, g, in) })
}

// each reports whether all keywords of a goal accept the value.
func (p *proof) each(v Value, g goal, in scope) bool {
	if g.Ref.String() != "" || len(g.PatternProperties)+len(g.Dependencies) > 0 {
		return false // not worth following, or unused in Kubernetes' schemas
	}
	return p.typed(v, g) && p.numbersFit(v, g) && p.textsFit(v, g) && p.sizesFit(v, g) && p.enumFits(v, g) &&
		p.fieldsFit(v, g, in) && p.junctorsFit(v, g, in) && p.extensionsFit(v, g)
}

// same reports whether something that is known about the value equals the goal in some keywords.
func same(v Value, g goal, of func(*spec.Schema) any) bool {
	return slices.ContainsFunc(v.all, func(s Schema) bool { return reflect.DeepEqual(of(s.Schema), of(g.Schema.Schema)) })
}

// splitting proves something for each branch of a junctor of the value.
func (p *proof) splitting(v Value, in scope, proved func(Value, scope) bool) bool {
	if in.splits == 0 {
		return false
	}
	in.splits--
	in = in.deeper()
	for _, s := range v.all {
		if len(s.AnyOf)+len(s.OneOf) == 0 || slices.Contains(in.split, s.Schema) {
			continue
		}
		within := in
		within.split = append(slices.Clip(in.split), s.Schema)
		all := func(branches []spec.Schema, exclusive bool) bool {
			for i := range branches {
				branch := v.And(s.in(&branches[i]))
				for j := range branches {
					if exclusive && j != i {
						branch = branch.And(s.in(&spec.Schema{SchemaProps: spec.SchemaProps{Not: &branches[j]}}))
					}
				}
				if !proved(branch, within) {
					return false
				}
			}
			return len(branches) > 0
		}
		if all(s.AnyOf, false) || all(s.OneOf, true) {
			return true
		}
	}
	return false
}

// impossible reports whether the facts accept no value.
func (p *proof) impossible(v Value, in scope) bool {
	switch p.steps--; {
	case p.steps < 0 || in.depth < 0:
		return false
	case v.absent:
		return true
	case v.mayBeNull():
		return false // null fails everything below
	}
	has := p.kinds(v)
	if has&numbers != 0 && Numbers(v.all, has&fraction == 0).Empty() {
		has &^= numbers
	}
	if has&text != 0 && texts(v).Empty() {
		has &^= text
	}
	if has&list != 0 && itemCounts(v).Empty() {
		has &^= list
	}
	if has&object != 0 && (fieldCounts(v).Empty() || p.lacks(v, in)) {
		has &^= object
	}
	if known, none := p.noMember(v); has == 0 || known && none {
		return true
	}
	for _, s := range v.all {
		if s.Not != nil && p.accepts(v.without(s.Schema), goal{Schema: s.in(s.Not), owner: s.Not, declaring: v.declaring}, in.deeper()) {
			return true
		}
	}
	return p.splitting(v, in, p.impossible)
}

// lacks reports whether a required field cannot be set.
func (p *proof) lacks(v Value, in scope) bool {
	for _, s := range v.all {
		for _, name := range s.Required {
			if field := v.Field(name); field.absent || p.impossible(field, in.deeper()) {
				return true
			}
		}
	}
	return false
}

// without removes a negation, so that it does not prove itself.
func (v Value) without(negation *spec.Schema) Value {
	var rest []Schema
	for _, s := range v.all {
		if s.Schema == negation {
			positive := *s.Schema
			positive.Not = nil
			s.Schema = &positive
		}
		rest = append(rest, s)
	}
	v.all = rest
	return v
}
