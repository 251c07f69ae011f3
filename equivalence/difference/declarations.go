package difference

// Declarations describes what the schema of the declarative side declares at the fields of an object.
// Rules use it as evidence if two texts alone do not show that they mean the same. Fields are paths of
// errors. Implementations are safe for concurrent use.
type Declarations interface {
	// Declares reports whether the schema has the field, or may have it: below a value that the schema
	// leaves open, every field counts as declared.
	Declares(path string) bool
	// Keyword returns the values of a keyword at a field, one for each schema that applies to every value
	// there (the field's own and its allOf). Numbers are decimal; list items are joined by commas. An
	// exclusive bound is a value of exclusiveMinimum or exclusiveMaximum, not of minimum or maximum. A
	// boolean keyword is "true" if it is set. At a list item, x-kubernetes-list-type and
	// x-kubernetes-list-map-keys are those of the list.
	Keyword(path, keyword string) []string
}

// Declared is a keyword or rule of a schema.
type Declared struct {
	// Place is its path in the schema, such as "properties[size].minimum".
	Place string
	// Position is its file and line, such as "crd.yaml:21"; empty if unknown.
	Position string
}
