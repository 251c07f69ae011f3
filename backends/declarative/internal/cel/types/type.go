package types

import (
	celtypes "github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Kind is the kind of a value in CEL.
type Kind uint8

// All kinds.
const (
	// None is a value that rules cannot see, because its schema has no type. Rules cannot see
	// lists and maps of such values either.
	None Kind = iota
	// Dyn is an int-or-string. Its type is known only at run time.
	Dyn
	Object // has declared fields
	Map
	List
	String
	Bytes
	Duration
	Date
	DateTime
	Bool
	Int
	Double
)

// ListType is how the items of a list are identified (x-kubernetes-list-type). It decides what ==
// and + mean.
type ListType uint8

// All list types.
const (
	Atomic ListType = iota
	Set
	MapByKeys
)

// Type is what rules see of a schema. The types of a recursive schema form a cycle. The owner
// fills in a Type before the first rule is compiled; then it must not change.
type Type struct {
	Kind     Kind
	Nullable bool
	// Opaque is true for values of Kind None that are kept as data. Rules can compare them only as
	// parts of other values.
	Opaque bool

	Fields   []Field // of an Object
	Elem     *Type   // of a Map or List
	ListType ListType
	Keys     []string // of a List by keys: the names of the key fields

	// Bound is the declared maximum of items, entries or code points, or nil. Longest is the
	// length of the longest string of an enum.
	Bound   *int64
	Longest int64

	// Name distinguishes the types of objects. It must be unique in a schema, and no other name
	// may be this name followed by a slash and identifiers.
	Name string
	// URLBytes is true for Bytes that are written as URL-safe base64, as the API server reads them in
	// the rules of a custom resource. Other Bytes are standard base64, as in all of Kubernetes' JSON.
	URLBytes bool
	// Shared is true for a type that has the same CEL type everywhere. Other types have one for
	// each path.
	Shared bool

	byIdent map[string]*Field
	byName  map[string]*Field
	typ     *celtypes.Type
	size    size
}

// Field is a declared field of an Object.
type Field struct {
	Name     string // in JSON
	Type     *Type
	Required bool // and without a default
	// StripsZero is true if the field counts as not set when its value is zero
	// (x-kubernetes-strip-zero).
	StripsZero bool

	Ident string // in CEL; "" if the name cannot be escaped

	name *view.Name
}

// CEL returns the CEL type, or nil if rules cannot see the type.
func (s *Type) CEL() *celtypes.Type {
	if s == nil {
		return nil
	}
	if s.typ == nil {
		s.typ = s.makeType()
	}
	return s.typ
}

func (s *Type) makeType() *celtypes.Type {
	switch s.Kind {
	case Dyn:
		return celtypes.DynType
	case Object:
		return celtypes.NewObjectType(s.Name)
	case Map, List:
		elem := s.Elem.CEL()
		switch {
		case elem == nil:
			return nil
		case s.Kind == Map:
			return celtypes.NewMapType(celtypes.StringType, elem)
		}
		return celtypes.NewListType(elem)
	case String:
		return celtypes.StringType
	case Bytes:
		return celtypes.BytesType
	case Duration:
		return celtypes.DurationType
	case Date, DateTime:
		return celtypes.TimestampType
	case Bool:
		return celtypes.BoolType
	case Int:
		return celtypes.IntType
	case Double:
		return celtypes.DoubleType
	}
	return nil
}

// index builds the lookup of fields. A field with a reserved name is found under its escaped name
// and its plain name, as in the API server since 1.31.
func (s *Type) index() {
	if s.byName != nil {
		return
	}
	s.byName = make(map[string]*Field, len(s.Fields))
	s.byIdent = make(map[string]*Field, len(s.Fields))
	for i := range s.Fields {
		f := &s.Fields[i]
		f.name = view.NewName(f.Name)
		s.byName[f.Name] = f
		if ident, ok := cel.Escape(f.Name); ok {
			f.Ident = ident
			s.byIdent[ident] = f
		}
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Ident == "__"+f.Name+"__" && s.byIdent[f.Name] == nil {
			s.byIdent[f.Name] = f
		}
	}
}

// In returns the value of the field in an object. It is not set if it is null, or a zero that the schema
// strips.
func (f *Field) In(r *view.Reader, object view.View) (view.View, bool) {
	v, ok := r.Named(object, f.name)
	return v, ok && v.Kind() != view.Null && !(f.StripsZero && r.Zero(v))
}

// KindIn returns the kind of the value that In returns.
func (f *Field) KindIn(r *view.Reader, object view.View) (view.Kind, bool) {
	if f.StripsZero {
		v, ok := f.In(r, object)
		return v.Kind(), ok
	}
	kind, ok := r.KindOf(object, f.name)
	return kind, ok && kind != view.Null
}

// ValueOf returns the value of a key of a map.
func (s *Type) ValueOf(r *view.Reader, in view.View, key string) (view.View, bool) {
	v, ok := r.Field(in, key)
	return v, ok && s.Counts(v)
}

// Field returns a declared field by its CEL identifier.
func (s *Type) Field(ident string) *Field { return s.byIdent[ident] }

// Property returns a declared field by its name in JSON.
func (s *Type) Property(name string) *Field { return s.byName[name] }

// Lookup returns a declared field at run time: by its identifier, or by its plain name, which
// native data uses (see Evaluator.ResolveName).
func (s *Type) Lookup(key string) *Field {
	if f := s.byIdent[key]; f != nil {
		return f
	}
	if name, ok := cel.Unescape(key); ok {
		return s.byName[name]
	}
	return nil
}

// Register adds a type and all types below it to a type provider.
func (s *Type) Register(p *Provider) {
	if s == nil || p.seen[s] {
		return
	}
	p.seen[s] = true
	s.CEL()
	if s.Kind == Object {
		s.index()
		p.objects[s.Name] = s
		for i := range s.Fields {
			s.Fields[i].Type.Register(p)
		}
	}
	s.Elem.Register(p)
}
