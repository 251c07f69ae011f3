package harness

import "github.com/diffrun/diffrun/harness/contract"

// Sides names the two backends that a Result compares. The zero value is native and declarative.
type Sides struct{ First, Second string }

// sidesOf returns the names of two backends. If a backend is compared with itself, the second name
// is "repeat".
func sidesOf(first, second Backend) Sides {
	sides := Sides{first.Name(), second.Name()}
	if sides.First == sides.Second {
		sides.Second = "repeat"
	}
	return sides.Usual()
}

// Usual returns the zero value for native and declarative, and other names as they are.
func (s Sides) Usual() Sides {
	if s == (Sides{contract.NativeName, contract.DeclarativeName}) {
		return Sides{}
	}
	return s
}

// Names returns the names of both sides.
func (s Sides) Names() (first, second string) {
	if first, second = s.First, s.Second; first == "" {
		first = contract.NativeName
	}
	if second == "" {
		second = contract.DeclarativeName
	}
	return first, second
}

// Titles returns the names of both sides for sentences.
func (s Sides) Titles() (first, second string) {
	first, second = s.Names()
	return title(first), title(second)
}

func title(name string) string {
	if name == contract.DeclarativeName {
		return "the schema"
	}
	return "the " + name + " validator"
}

// Joined returns the sides for results of both: if they differ, "first" and "second".
func (s Sides) Joined(other Sides) Sides {
	if s == other {
		return s
	}
	return Sides{"first", "second"}
}
