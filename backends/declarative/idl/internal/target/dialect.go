package target

// A Dialect is a family of markers, such as those of KEP-4153. It defines what a marker means. Where
// markers are read and how they reach their targets is the same for all dialects.
type Dialect interface {
	// Parse parses one marker: "+name=arguments" on one line, without a prefix such as "items:".
	// It returns nil if the marker does not belong to the dialect, and an error if the arguments
	// are wrong.
	Parse(text string) (*Marker, error)
	// Names returns the names of the markers of the dialect, sorted, without "+".
	Names() []string
	// Namespace returns a prefix that belongs to the dialect, such as "k8s:", or "". An unknown
	// marker with the prefix is a mistake, even if no known name is similar.
	Namespace() string
}

// A Marker is a parsed marker: its name, and how it changes its target.
type Marker struct {
	Name string
	// Repeats allows the marker more than once on one target.
	Repeats bool
	// Group is the name of a group of markers that an overlay replaces together. If empty, it is
	// Name.
	Group string
	// Short is another name by which an overlay removes the marker; "" for none.
	Short string
	// First means that the marker is applied before those without it.
	First bool
	// Declares is true for a validation, and false for a marker that only describes structure.
	Declares bool
	// Apply changes the target. The error says what is wrong and what is accepted.
	Apply func(*Target) error
	// RecordOrigin records the line of a marker that controller-tools has applied at the keywords
	// and rules that it wrote. It is nil if the marker does not apply to a schema alone.
	RecordOrigin func(*Target)
}

// An Inexpressible is the error of a marker that no schema can express. It is not a mistake.
type Inexpressible struct{ Why string }

func (i *Inexpressible) Error() string { return i.Why }
