package contract

// Undefined is a field that a native error names and that no version of the definition of a custom resource
// has: who reads the error looks for it in vain.
type Undefined struct {
	// Field has "[*]" for each index and each key of a map.
	Field string
	// Nearest is the field that was most likely meant; empty: none is near.
	Nearest string
}

// Reported counts the errors of the backends of a suite over all cases.
type Reported struct {
	// Compared counts the inputs that both backends answered.
	Compared            int
	Native, Declarative int
	// Covered counts the native errors that are marked CoveredByDeclarative.
	Covered int
}
