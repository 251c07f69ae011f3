package difference

import "k8s.io/apimachinery/pkg/util/validation/field"

// Answer holds the errors of a validator.
type Answer struct {
	// Errors are those that it reports every time, Unstable those that it reports sometimes.
	Errors, Unstable field.ErrorList
	// Unchecked are the errors that the rules of a schema would report if one of Errors did not say that
	// they were not checked.
	Unchecked field.ErrorList
	// WithoutRatcheting are the errors that a schema would report for an update if it did not drop errors
	// of unchanged values (KEP-4008).
	WithoutRatcheting field.ErrorList
}

// Dropped is an error that a schema drops because an update did not change the value. No rule makes it
// agree with the native error of its pair.
type Dropped struct {
	Error *field.Error
	// Count says how often the schema would report it.
	Count int
	// Class is how the two differ: Path, Type or Detail.
	Class Class
}
