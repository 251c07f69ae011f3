package decl

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/types"
)

// Provider tells CEL's type checker about the objects of a schema. All else is
// left to the provider of the environment that it extends.
//
// To the API server objects at two places are of two types, whatever their schemas say
// (MaybeAssignTypeName of k8s.io/apiserver/pkg/cel): rules cannot compare them, nor put
// them into one list. So the type of a field is named by the way to it from the value
// that a rule is on, and equal types may be one nevertheless. A definition is one type
// wherever it is referred to.
type Provider struct {
	types.Provider
	objects map[string]*Type // by the names of their types
	fields  map[fieldOf]*types.FieldType
	seen    map[*Type]bool
}

// fieldOf is a field of an object, by the name of its type.
type fieldOf struct{ object, field string }

func NewProvider(base types.Provider) *Provider {
	return &Provider{Provider: base, objects: map[string]*Type{}, fields: map[fieldOf]*types.FieldType{}, seen: map[*Type]bool{}}
}

// Object is the type of objects that has a name, or nil.
func (p *Provider) Object(name string) *Type { return p.objects[name] }

// FindStructType implements types.Provider.
func (p *Provider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := p.objects[name]; ok {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p *Provider) FindStructFieldNames(name string) ([]string, bool) {
	s, ok := p.objects[name]
	if !ok {
		return p.Provider.FindStructFieldNames(name)
	}
	return slices.Sorted(maps.Keys(s.byIdent)), true
}

// FindStructFieldType implements types.Provider. A field whose type rules cannot
// see is no field.
func (p *Provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	s, ok := p.objects[name]
	if !ok {
		return p.Provider.FindStructFieldType(name, field)
	}
	of := fieldOf{name, field}
	if known := p.fields[of]; known != nil {
		return known, true
	}
	f := s.Field(field)
	if f == nil || f.Type.CEL() == nil {
		return nil, false
	}
	found := &types.FieldType{Type: p.typeAt(f.Type, name+"/"+field)}
	p.fields[of] = found
	return found, true
}

// typeAt is the type of the values of a type that are reached in a certain way.
func (p *Provider) typeAt(s *Type, way string) *types.Type {
	if s.Shared {
		return s.CEL()
	}
	switch s.Kind {
	case List:
		return types.NewListType(p.typeAt(s.Elem, way+"/@items"))
	case Map:
		return types.NewMapType(types.StringType, p.typeAt(s.Elem, way+"/@values"))
	case Object:
		p.objects[way] = s
		return types.NewObjectType(way)
	}
	return s.CEL()
}
