package diff

import "github.com/diffrun/diffrun/internal/explore/generate"

// branchValues is the number of values that are made for each branch of a junctor.
const branchValues = 3

// branches returns values of the branches of junctors, at and near their bounds.
func (t *trial) branches(accept, reject *props) []leaf {
	if accept == nil || reject == nil {
		return nil
	}
	var all []leaf
	for _, of := range branchesOf(reject, branchesOf(accept, nil)) {
		part := *of
		part.Default, part.XValidations = nil, nil
		if part.Type == "" {
			part.Type = accept.Type
		}
		if part.Type == "object" { // a branch names fields that are declared outside of it
			part.Properties = declared(accept.Properties, of.Properties)
		}
		for _, one := range append(numbers(&part, &part), &part) {
			for range branchValues {
				all = append(all, func(any) any { return generate.Value(t.src, one, generate.ObjectOptions{Values: 2}) })
			}
		}
		all = append(all, t.between(&part, &props{Type: "string", Pattern: " ^"})...)
		for _, other := range branchesOf(reject, branchesOf(accept, nil)) {
			if part.Pattern != "" && other.Pattern != "" {
				all = append(all, t.between(&part, other)...)
			}
		}
	}
	return all
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
