package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// comparisonUsage is the usage of --compare.
const comparisonUsage = "which errors to compare (all; covered: those marked CoveredByDeclarative; verdict: " +
	"only whether both sides accept or refuse the object), which two backends by name, as in generated,tags, or both, " +
	"as in verdict,native,generated; every suite has native and declarative, and builtin kinds have more"

// Comparison is the flag --compare: which errors are compared, and of which backends.
type Comparison struct {
	text string
	// scope is empty if the flag does not name it.
	scope words.Compare
	// sides are zero if the flag names no backends.
	sides harness.Sides
}

// ParseComparison parses --compare. Whether suites have the backends is checked when they are loaded.
func ParseComparison(text string) (Comparison, error) {
	parsed := Comparison{text: text}
	if text == "" {
		return parsed, nil
	}
	var names []string
	for _, word := range strings.Split(text, ",") {
		switch word = strings.TrimSpace(word); {
		case !slices.Contains(words.CompareValues(), words.Compare(word)):
			names = append(names, word)
		case parsed.scope != "":
			return Comparison{}, fmt.Errorf("--compare %s: %s and %s cannot both be; choose one", text, parsed.scope, word)
		default:
			parsed.scope = words.Compare(word)
		}
	}
	switch {
	case slices.Contains(names, ""):
		return Comparison{}, fmt.Errorf("--compare %q has an empty word; separate words by one comma", text)
	case len(names) == 2:
		parsed.sides = harness.Sides{First: names[0], Second: names[1]}
	case len(names) == 1:
		return Comparison{}, fmt.Errorf("--compare does not know %q; accepted: %s; or the names of two backends, "+
			"as in native,declarative", names[0], oneof.List(words.CompareValues()))
	case len(names) > 2:
		return Comparison{}, fmt.Errorf("--compare %s: two backends are compared, and these are %d: %s", text, len(names),
			strings.Join(names, ", "))
	}
	return parsed, nil
}

// all reports whether the flag leaves out no errors and names no backends.
func (c Comparison) all() bool { return c.text == "" || c.text == string(words.CompareAll) }

// check refuses suites that lack a backend that --compare names.
func (c Comparison) check(suites []*cases.Suite) error {
	var errs []error
	for _, suite := range suites {
		if _, err := suite.Comparing(c.sides); err != nil {
			errs = append(errs, fmt.Errorf("--compare %s: %w", c.text, err))
		}
	}
	return errors.Join(errs...)
}

// sides names the two backends that are compared for a suite.
func (s *session) sides(suite *cases.Suite) harness.Sides {
	sides := s.backends(suite)
	sides.Called = suite.Sides
	return sides
}

func (s *session) backends(suite *cases.Suite) harness.Sides {
	sides, _ := suite.Comparing(s.options.Comparison.sides) // checked when the suites were loaded
	first, second := sides.Names()
	switch {
	case s.options.checkRecorded:
		return harness.Sides{First: "recorded", Second: contract.NativeName}
	case s.options.self == contract.NativeName:
		return harness.Sides{First: first, Second: "repeat"}
	case s.options.self == contract.DeclarativeName:
		return harness.Sides{First: second, Second: "repeat"}
	}
	return sides
}

// comparesOtherBackends reports whether --compare names other backends than those that the
// exceptions of a suite are about.
func (s *session) comparesOtherBackends(suite *cases.Suite) bool {
	own, _ := suite.Comparing(harness.Sides{}) // never fails
	asked, _ := suite.Comparing(s.options.Comparison.sides)
	return asked != own
}
