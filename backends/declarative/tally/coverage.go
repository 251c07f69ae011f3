package tally

import (
	"cmp"
	"slices"
)

// Coverage counts what the keywords and rules of a schema do to the objects that a declarative.Validator
// with this option validates. The zero value is ready; several goroutines may use it, and several schemas
// may share it: places that are the same are one.
//
// Each Validate is one input. The rules that UncheckedRules of contract.Capabilities runs are not counted,
// because their input was counted before.
type Coverage struct {
	tally Tally

	// See Part.
	of      *Coverage
	at      string
	counted func(keyword string) bool
}

// Part counts the validation of a part of an object into the same places. at is the path of the part, and
// counted reports whether a keyword counts. Use it if several schemas validate one object together.
func (c *Coverage) Part(at string, counted func(keyword string) bool) *Coverage {
	if c == nil {
		return nil
	}
	return &Coverage{of: c, at: at, counted: counted}
}

// FieldPlace and EnumValuePlace are the Keywords of places that are not keywords: a field, which is
// reached if it is set, and a value of an enum, which is reached if it is used.
const (
	FieldPlace     = "field"
	EnumValuePlace = "enum value"
)

// Place is a keyword or a rule of a schema with its counts. It is where it checks values, not
// where it is written: a definition that two fields refer to has places for both. A definition
// that refers back to itself has those of the first path.
type Place struct {
	// Path is the field whose values are checked, as in "spec.ports[*].port"; "[*]" means
	// the items of a list, or the keys that a schema does not name. Empty: the object.
	// For required it is the field that is required.
	Path string
	// Within is the branch of a junctor that has the keyword, as in "spec.ports[*] anyOf[0]"; it is
	// empty outside of branches.
	Within string
	// Keyword is its name, FieldPlace or EnumValuePlace. A rule is "x-kubernetes-validations" with its Index in the list.
	Keyword string
	Index   int
	// Value is the value of the keyword, or the rule. It is empty for keywords with schemas, such as
	// not, and for required.
	Value string
	// Declared are the places of the schema that have the keyword, as SchemaError names them:
	// "definitions[Port].properties[number].maximum". Fields and values of enums have none.
	Declared []string
	// Reached is the number of inputs with a value that the keyword checks; Passed and Failed are the
	// numbers of inputs with a right and with a wrong value. An input with several values may be
	// both, and an input whose rule could not be evaluated is neither. Errors that an update drops
	// at unchanged values, and failures in a branch where another branch is valid, count.
	Reached, Passed, Failed int
}

// Places returns all places, ordered by path, those outside of branches first, then in the order of the
// checks.
func (c *Coverage) Places() []Place {
	places := c.Tally().all()
	slices.SortStableFunc(places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Within, b.Within))
	})
	return places
}

// Tally returns the counts of the whole schema; nil if c is nil.
func (c *Coverage) Tally() *Tally {
	if c == nil {
		return nil
	}
	if c.of != nil {
		return c.of.Tally()
	}
	return &c.tally
}

// At returns the path of a part, and the function that reports whether a keyword of it counts; nil: every
// keyword does.
func (c *Coverage) At() (path string, counted func(keyword string) bool) { return c.at, c.counted }
