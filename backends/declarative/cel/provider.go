package cel

import (
	"slices"

	"github.com/google/cel-go/common/types"
)

// provider tells CEL's type checker about the objects of a schema. All else is
// left to the provider of the environment that it extends.
type provider struct {
	types.Provider
	objects map[string]*Shape
	seen    map[*Shape]bool
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if s, ok := p.objects[name]; ok {
		return types.NewTypeTypeWithParam(s.Type()), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	s, ok := p.objects[name]
	if !ok {
		return p.Provider.FindStructFieldNames(name)
	}
	names := make([]string, 0, len(s.byIdent))
	for ident := range s.byIdent {
		names = append(names, ident)
	}
	slices.Sort(names)
	return names, true
}

// FindStructFieldType implements types.Provider. A field whose type rules cannot
// see is no field.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	s, ok := p.objects[name]
	if !ok {
		return p.Provider.FindStructFieldType(name, field)
	}
	f := s.field(field)
	if f == nil || f.Shape.Type() == nil {
		return nil, false
	}
	return &types.FieldType{Type: f.Shape.Type()}, true
}
