package harness

import "github.com/diffrun/diffrun/harness/contract"

// Sides names the two backends that a Result compares. The zero value is native and declarative.
type Sides struct {
	First, Second string
	// Called are the names of native and declarative for people.
	Called contract.SideNames
}

// sidesOf returns the names of two backends. If a backend is compared with itself, the second name
// is "repeat".
func sidesOf(first, second Backend) Sides {
	sides := Sides{First: first.Name(), Second: second.Name()}
	if sides.First == sides.Second {
		sides.Second = "repeat"
	}
	return sides.Usual()
}

// Usual returns no names for native and declarative, and others as they are.
func (s Sides) Usual() Sides {
	if s.First == contract.NativeName && s.Second == contract.DeclarativeName {
		s.First, s.Second = "", ""
	}
	return s
}

// Names returns the names of both backends, as files, metrics and flags have them.
func (s Sides) Names() (first, second string) {
	if first, second = s.First, s.Second; first == "" {
		first = contract.NativeName
	}
	if second == "" {
		second = contract.DeclarativeName
	}
	return first, second
}

// Labels returns the names of both sides beside their errors.
func (s Sides) Labels() (first, second string) {
	first, second = s.Names()
	return s.Called.Label(first), s.Called.Label(second)
}

// Titles returns the names of both sides for sentences.
func (s Sides) Titles() (first, second string) {
	first, second = s.Names()
	return s.Called.Title(first), s.Called.Title(second)
}

// Backends returns both backends for sentences about how they work, as in "the native backend" and "the webhook".
func (s Sides) Backends() (first, second string) {
	first, second = s.Names()
	return s.Called.Backend(first), s.Called.Backend(second)
}

// sourceOf returns the source of the faults of a backend.
func sourceOf(backend string) string { return backend + " backend" }

// Source returns a source of faults (Result.Faults) for sentences, as in "the case", "the native backend" or "the webhook".
func (s Sides) Source(source string) string {
	first, second := s.Names()
	for _, backend := range []string{first, second} {
		if source == sourceOf(backend) {
			return s.Called.Backend(backend)
		}
	}
	return "the " + source
}

// Joined returns the sides for results of both: if the backends differ, "first" and "second". Names for people are kept if
// both have them.
func (s Sides) Joined(other Sides) Sides {
	if s.First != other.First || s.Second != other.Second {
		return Sides{First: "first", Second: "second"}
	}
	s.Called = s.Called.Shared(other.Called)
	return s
}
