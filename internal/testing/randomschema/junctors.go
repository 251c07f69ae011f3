package randomschema

import "github.com/diffrun/diffrun/internal/explore/generate"

// junctor adds a junctor to a schema. Its branches only have what structural schemas allow: value
// validations of declared values.
func (b *builder) junctor(s *props, depth int) {
	branches := func(least, most int) []props {
		var all []props
		for range b.Between(least, most) {
			all = append(all, b.branch(s, depth))
		}
		return all
	}
	switch b.IntN(4) {
	case 0:
		s.AllOf = append(s.AllOf, branches(1, 2)...)
	case 1:
		if s.AnyOf == nil {
			s.AnyOf = branches(1, 3)
		}
	case 2:
		s.OneOf = branches(1, 3)
	case 3:
		s.Not = new(b.branch(s, depth))
	}
}

// branch makes a branch for values of a schema.
func (b *builder) branch(s *props, depth int) props {
	var branch props
	switch {
	case s.XIntOrString:
		branch = generate.Pick(b.Dice, props{Pattern: "^[0-9]"}, props{Maximum: new(float64(50))}, props{MaxLength: new(int64(2))})
	case s.Type == "string":
		b.limitText(&branch)
	case s.Type == "integer" || s.Type == "number":
		b.limitNumber(&branch)
	case s.Type == "boolean":
		branch.Enum = values(b.OneIn(2))
	case s.Type == "array":
		b.branchOfList(&branch, s, depth)
	case s.Type == "object":
		b.branchOfObject(&branch, s, depth)
	}
	if depth > 1 && b.OneIn(6) {
		nested := b.branch(s, depth-1)
		switch b.IntN(4) {
		case 0:
			branch.AllOf = []props{nested}
		case 1:
			branch.AnyOf = []props{nested, b.branch(s, depth-1)}
		case 2:
			branch.OneOf = []props{nested}
		case 3:
			branch.Not = &nested
		}
	}
	return branch
}

func (b *builder) branchOfList(branch, s *props, depth int) {
	if depth > 1 && b.OneIn(2) {
		branch.Items = items(b.branch(s.Items.Schema, depth-1))
		return
	}
	b.sizes(&branch.MinItems, &branch.MaxItems, 2)
}

func (b *builder) branchOfObject(branch, s *props, depth int) {
	names := sortedNames(s)
	if len(names) == 0 {
		b.sizes(&branch.MinProperties, &branch.MaxProperties, 2)
		return
	}
	name := generate.Pick(b.Dice, names...)
	property := s.Properties[name]
	if depth > 1 && b.OneIn(2) {
		branch.Properties = map[string]props{name: b.branch(&property, depth-1)}
		return
	}
	branch.Required = []string{name}
}
