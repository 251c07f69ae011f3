package fieldpath

// Naming knows which words of an object its schema declares. equivalence.Declarations may implement it;
// texts of objects are redacted by it.
type Naming interface {
	// Names returns the names of fields at the root of an object.
	Names() Names
	// HasWord reports whether the schema declares a field of this name, or has this value in an
	// enum, at any place.
	HasWord(word string) bool
}

// Names tells the fields that a schema declares at a place of an object from keys that the object
// itself brought along: entries of maps, and fields that the schema does not have.
type Names interface {
	// Has reports whether the schema declares a field of this name.
	Has(name string) bool
	// Field returns the names of the fields of the value of a field.
	Field(name string) Names
	// Entry returns the names of the fields of an item of a list, or of an entry of a map.
	Entry(key string) Names
}
