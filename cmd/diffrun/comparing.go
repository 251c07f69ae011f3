package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// compareUsage says what --compare takes.
const compareUsage = "which errors to compare (all; covered: those marked CoveredByDeclarative; verdict: only whether both sides accept or refuse the object), which two backends by name, as in generated,tags, or both, as in verdict,native,generated; every suite has native and declarative, and builtin kinds have more"

// comparing is the flag --compare: which errors, and of which backends.
type comparing struct {
	// scope is empty where the flag does not say it.
	scope harness.Compare
	// sides are zero where the flag names no backends.
	sides harness.Sides
}

// parseComparing reads --compare. Whether a suite has the backends shows when it is loaded.
func parseComparing(text string) (comparing, error) {
	var parsed comparing
	if text == "" {
		return parsed, nil
	}
	var names []string
	for _, word := range strings.Split(text, ",") {
		switch word = strings.TrimSpace(word); {
		case !slices.Contains(harness.CompareValues(), harness.Compare(word)):
			names = append(names, word)
		case parsed.scope != "":
			return comparing{}, fmt.Errorf("--compare %s: %s and %s cannot both be; choose one", text, parsed.scope, word)
		default:
			parsed.scope = harness.Compare(word)
		}
	}
	switch {
	case slices.Contains(names, ""):
		return comparing{}, fmt.Errorf("--compare %q has an empty word; give words with a comma between them", text)
	case len(names) == 2:
		parsed.sides = harness.Sides{First: names[0], Second: names[1]}
	case len(names) == 1:
		return comparing{}, fmt.Errorf("--compare does not know %q; accepted: %s; or the names of two backends, as in native,declarative", names[0], oneof.List(harness.CompareValues()))
	case len(names) > 2:
		return comparing{}, fmt.Errorf("--compare %s: two backends are compared, and these are %d: %s", text, len(names), strings.Join(names, ", "))
	}
	return parsed, nil
}

// checkComparing says which suites lack a backend that --compare names.
func (o runOptions) checkComparing(suites []*cases.Suite) error {
	var errs []error
	for _, suite := range suites {
		if _, err := suite.Comparing(o.comparing.sides); err != nil {
			errs = append(errs, fmt.Errorf("--compare %s: %w", o.compare, err))
		}
	}
	return errors.Join(errs...)
}

// sides names the two backends that are compared for a suite.
func (s *session) sides(suite *cases.Suite) harness.Sides {
	sides, _ := suite.Comparing(s.options.comparing.sides) // the run has checked it
	first, second := sides.Names()
	switch {
	case s.options.checkRecorded:
		return harness.Sides{First: "recorded", Second: harness.NativeName}
	case s.options.self == string(harness.SelfNative):
		return harness.Sides{First: first, Second: "repeat"}
	case s.options.self == string(harness.SelfDeclarative):
		return harness.Sides{First: second, Second: "repeat"}
	}
	return sides
}

// ofOtherBackends says that --compare names other backends than the exceptions of a suite are
// about.
func (s *session) ofOtherBackends(suite *cases.Suite) bool {
	own, _ := suite.Comparing(harness.Sides{}) // nothing is asked for, so nothing can lack
	asked, _ := suite.Comparing(s.options.comparing.sides)
	return asked != own
}
