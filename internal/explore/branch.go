package explore

import (
	"fmt"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// branchValues is how many values are made for each branch of a junctor.
const branchValues = 3

// branches adds values of the branches of junctors, at and beside the bounds of each.
func (c *changes) branches() {
	all := branchesOf(c.at.schema, nil)
	for i, of := range all {
		part := *of
		part.Default, part.XValidations = nil, nil
		part.AllOf, part.AnyOf, part.OneOf, part.Not = nil, nil, nil, nil // others of all
		if part.Type == "" {
			part.Type, part.XIntOrString = c.at.schema.Type, c.at.schema.XIntOrString
		}
		if part.Type == "object" { // a branch names fields that are declared outside of it
			part.Properties = declared(c.at.schema.Properties, of.Properties)
		}
		inner := &changes{src: c.src, at: c.at}
		inner.at.schema = &part
		inner.ofType()
		for n := range branchValues {
			inner.add(bound, fmt.Sprintf("value %d", n), generate.Value(c.src, &part, generate.ObjectOptions{Values: 2}))
		}
		for j, other := range all {
			if part.Pattern == "" || other.Pattern == "" {
				continue
			}
			for n, text := range between(c.src, part.Pattern, other.Pattern) {
				inner.add(bound, fmt.Sprintf("text %d, not of %d", n, j), text)
			}
		}
		for _, one := range inner.found {
			if one.aim == bound {
				c.add(bound, fmt.Sprintf("branch %d: %s", i, one.name), one.to)
			}
		}
	}
}

// declared returns the fields of a branch with the types that are declared outside of it.
func declared(outside, branch map[string]props) map[string]props {
	all := map[string]props{}
	for name, field := range outside {
		if narrower, has := branch[name]; has {
			kind := field.Type
			field = narrower
			field.Type = kind
		}
		all[name] = field
	}
	return all
}

// branchesOf adds the branches of a schema, at any depth.
func branchesOf(s *props, all []*props) []*props {
	add := func(branch *props) { all = branchesOf(branch, append(all, branch)) }
	for _, list := range [][]props{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			add(&list[i])
		}
	}
	if s.Not != nil {
		add(s.Not)
	}
	return all
}
