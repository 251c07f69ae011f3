package harness

import (
	"slices"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// unguarded reports whether a definition refused the input before any guard was asked, on each side
// that has guards. Mutations precede the validation by the definition, so if a side has other guards, a
// mutation counts only if it refused the input itself.
func (r *Result) unguarded(native, declarative capableBackend) bool {
	guarded := false
	for _, side := range []struct {
		capableBackend
		Outcome
	}{{native, r.Native}, {declarative, r.Declarative}} {
		if len(side.can.Guards) == 0 {
			continue
		}
		if guarded = true; slices.ContainsFunc(side.Asked, decides(side.can.Guards)) || !side.refuses() {
			return false
		}
	}
	return guarded
}

// decides returns the function that reports whether a guard that was asked had a say about the input.
func decides(guards []contract.Guard) func(contract.Asked) bool {
	onlyChange := map[string]bool{}
	for _, guard := range guards {
		if guard.Purpose == words.ToChange {
			onlyChange[guard.Name] = true
		}
	}
	if len(onlyChange) == len(guards) {
		return func(asked contract.Asked) bool { return !asked.Excluded }
	}
	return func(asked contract.Asked) bool { return !asked.Excluded && (asked.Refused || !onlyChange[asked.Guard]) }
}

// askedCount counts the inputs that a guard was asked about, and those on which it acted.
type askedCount struct{ asked, acted int }

// askedKey names a guard of a run. Side is 0 or 1.
type askedKey struct {
	suite, guard string
	side         int
}

// AskedOf returns how many inputs a guard of a suite was asked about, and on how many it acted; side
// is 0 for the first side, or 1.
func (s *Summary) AskedOf(suite string, side int, guard string) (asked, acted int) {
	count := s.asked[askedKey{suite, guard, side}]
	return count.asked, count.acted
}

// addAsked counts the guards that were asked in a result.
func (s *Summary) addAsked(r Result) {
	if s.asked == nil {
		s.asked = map[askedKey]askedCount{}
	}
	for side, outcome := range []Outcome{r.Native, r.Declarative} {
		for _, asked := range outcome.Asked {
			if asked.Excluded {
				continue
			}
			key := askedKey{r.Suite, asked.Guard, side}
			counted := s.asked[key]
			if counted.asked++; asked.Acted {
				counted.acted++
			}
			s.asked[key] = counted
		}
	}
}
