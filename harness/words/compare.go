package words

// Compare selects which errors are compared. The zero value is CompareAll.
type Compare string

const (
	// CompareAll compares all errors.
	CompareAll Compare = "all"
	// CompareCovered leaves out native errors that are not marked CoveredByDeclarative, and
	// declarative errors that match them. The mark means that the schema covers the error.
	CompareCovered Compare = "covered"
	// CompareVerdict compares only whether the two sides accept the object. If both refuse it, no
	// error is compared. If only one does, each of its errors is a difference. If both accept it, and
	// a guard of a side is there to change objects, what they would store is compared.
	CompareVerdict Compare = "verdict"
)

// CompareValues lists all scopes of a comparison.
func CompareValues() []Compare { return []Compare{CompareAll, CompareCovered, CompareVerdict} }
