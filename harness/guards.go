package harness

import (
	"context"
)

// Guard is what admits or changes objects around a definition: a webhook, a policy with its binding,
// or a mutation.
type Guard struct {
	// Name names it among the guards of its side.
	Name string
	// Where is the file and line of it, as in "suite.yaml:3"; empty: unknown.
	Where string
	// Purpose is what it is there for.
	Purpose Purpose
}

// Purpose is what a guard is there for. A guard that did it for no case proves nothing.
type Purpose string

const (
	// ToRefuse: it finds fault with objects. A policy that only warns does so, too.
	ToRefuse Purpose = "refuse"
	// ToChange: it changes objects, or refuses them.
	ToChange Purpose = "change"
	// ToWatch: it has no say, such as a policy with nothing but audit annotations.
	ToWatch Purpose = "watch"
)

// Asked says that a guard was asked about an input.
type Asked struct {
	// Guard is its name.
	Guard string
	// Acted says that it did what it is there for: it found fault with the object, or changed it.
	Acted bool
}

// AddAsked adds guards that were asked to the answer that a Backend is about to give. It is called
// with the context of Backend.Validate.
func AddAsked(ctx context.Context, asked ...Asked) {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.asked = append(n.asked, asked...)
	}
}

// unguarded reports whether a definition refused the input before any guard was asked, on each side
// that has guards.
func (r *Result) unguarded(native, declarative capableBackend) bool {
	guarded := false
	for _, side := range []struct {
		capableBackend
		Outcome
	}{{native, r.Native}, {declarative, r.Declarative}} {
		if len(side.can.Guards) == 0 {
			continue
		}
		if guarded = true; len(side.Asked) > 0 || !side.refuses() {
			return false
		}
	}
	return guarded
}

// AskedCount counts the inputs that a guard was asked about, and those with which it did what it is
// there for.
type AskedCount struct{ Asked, Acted int }

// askedKey names a guard of a run. Side is 0 or 1.
type askedKey struct {
	suite, guard string
	side         int
}

// AskedOf counts what a guard of a side of a suite did; side is 0 for the first side, or 1.
func (s *Summary) AskedOf(suite string, side int, guard string) AskedCount {
	return s.asked[askedKey{suite, guard, side}]
}

// addAsked counts the guards that a result says were asked.
func (s *Summary) addAsked(r Result) {
	if s.asked == nil {
		s.asked = map[askedKey]AskedCount{}
	}
	for side, outcome := range []Outcome{r.Native, r.Declarative} {
		for _, asked := range outcome.Asked {
			key := askedKey{r.Suite, asked.Guard, side}
			counted := s.asked[key]
			if counted.Asked++; asked.Acted {
				counted.Acted++
			}
			s.asked[key] = counted
		}
	}
}
