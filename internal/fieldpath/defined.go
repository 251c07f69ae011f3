package fieldpath

// Generalizing tells keys of maps from names of fields, by the schema. equivalence.Declarations may implement it.
type Generalizing interface {
	// General returns a path with "[*]" for each index and each key of a map, however the path spells it.
	General(path string) string
}

// Defined knows the fields of a custom resource in all versions of its definition. equivalence.Declarations
// may implement it.
type Defined interface {
	// Undefined reports whether no version of the definition has a field at the path of an error. at is the
	// path with "[*]" for each index and each key of a map, and nearest the field that was most likely meant;
	// empty: none is near.
	Undefined(path string) (at, nearest string, undefined bool)
}
