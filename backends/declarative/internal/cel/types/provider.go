package types

import (
	"maps"
	"slices"

	celtypes "github.com/google/cel-go/common/types"
)

// Provider describes the objects of a schema to CEL's type checker. It leaves all other types to
// the provider of the environment that it extends.
//
// In the API server, objects at two places have two types, even if their schemas are equal
// (MaybeAssignTypeName of k8s.io/apiserver/pkg/cel): rules can neither compare them nor put them
// into one list. So the type of a field is named by its path from the value of the rule, even if
// equal types share one Type here. A definition is one type everywhere.
type Provider struct {
	celtypes.Provider
	objects map[string]*Type // by the names of their types
	fields  map[fieldOf]*celtypes.FieldType
	seen    map[*Type]bool
}

// fieldOf is a field of an object, identified by the name of the object's type.
type fieldOf struct{ object, field string }

func NewProvider(base celtypes.Provider) *Provider {
	return &Provider{Provider: base, objects: map[string]*Type{}, fields: map[fieldOf]*celtypes.FieldType{}, seen: map[*Type]bool{}}
}

// Object returns the object type with a name, or nil.
func (p *Provider) Object(name string) *Type { return p.objects[name] }

// FindStructType implements celtypes.Provider.
func (p *Provider) FindStructType(name string) (*celtypes.Type, bool) {
	if _, ok := p.objects[name]; ok {
		return celtypes.NewTypeTypeWithParam(celtypes.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames implements celtypes.Provider.
func (p *Provider) FindStructFieldNames(name string) ([]string, bool) {
	s, ok := p.objects[name]
	if !ok {
		return p.Provider.FindStructFieldNames(name)
	}
	return slices.Sorted(maps.Keys(s.byIdent)), true
}

// FindStructFieldType implements celtypes.Provider. It does not find a field whose type rules cannot
// see.
func (p *Provider) FindStructFieldType(name, field string) (*celtypes.FieldType, bool) {
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
	found := &celtypes.FieldType{Type: p.typeAt(f.Type, name+"/"+field)}
	p.fields[of] = found
	return found, true
}

// typeAt returns the CEL type of a Type at a path.
func (p *Provider) typeAt(s *Type, way string) *celtypes.Type {
	if s.Shared {
		return s.CEL()
	}
	switch s.Kind {
	case List:
		return celtypes.NewListType(p.typeAt(s.Elem, way+"/@items"))
	case Map:
		return celtypes.NewMapType(celtypes.StringType, p.typeAt(s.Elem, way+"/@values"))
	case Object:
		p.objects[way] = s
		return celtypes.NewObjectType(way)
	}
	return s.CEL()
}
