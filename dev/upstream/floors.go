package main

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/dev/upstream/agreement"
)

// floor is the minimum of a row: the number of calls, and of those with errors or a change, and the
// maximum number that are explained. None may be different.
type floor struct {
	function        string
	way             agreement.Way
	calls, speaking int
	explained       int
}

// floors returns the floors for the version of upstream that go.mod requires. A new version has
// other tests and needs new floors. Many floors are a little below the current number, because the
// calls of some tests depend on timing and on upstream's iteration over maps.
func floors() []floor {
	return []floor{
		{"ValidateCustomResource", agreement.Stage, 165, 60, 1},
		{"ValidateCustomResourceUpdate", agreement.Stage, 12, 1, 0},
		{"RatchetingSchemaValidator.ValidateUpdate", agreement.Stage, 11, 4, 0},
		{"ValidateListSetsAndMaps", agreement.Stage, 70, 12, 0},
		{"objectmeta.Validate", agreement.Stage, 110, 18, 0},
		{"cel.Validate", agreement.Stage, 1215, 140, 3},
		{"cel.Validate", agreement.Cost, 1040, 1040, 0},
		{"ValidateCustomResource", agreement.Whole, 110, 42, 1},
		{"ValidateCustomResourceUpdate", agreement.Whole, 12, 1, 0},
		{"RatchetingSchemaValidator.ValidateUpdate", agreement.Whole, 9, 3, 0},
		{"ValidateListSetsAndMaps", agreement.Whole, 70, 17, 0},
		{"objectmeta.Validate", agreement.Whole, 100, 39, 0},
		{"cel.Validate", agreement.Whole, 1150, 118, 0},
		{"strategy.Validate", agreement.Stage, 25, 8, 0},
		{"strategy.ValidateUpdate", agreement.Stage, 12, 4, 0},
		{"statusStrategy.ValidateUpdate", agreement.Stage, 10, 1, 0},
		{"strategy.PrepareForUpdate", agreement.Stage, 15, 10, 0},
		{"statusStrategy.PrepareForUpdate", agreement.Stage, 6, 4, 0},
		{"Prune", agreement.Stage, 90, 19, 0},
		{"Coerce", agreement.Stage, 130, 32, 0},
		{"GetObjectMeta", agreement.Stage, 40, 40, 0},
		{"PruneNonNullableNullsWithoutDefaults", agreement.Stage, 24, 1, 0},
		{"Default", agreement.Stage, 21, 6, 0},
		{"PruneDefaults", agreement.Stage, 3, 0, 0},
		{"ValidateCustomResourceDefinition", agreement.Whole, 65, 48, 0},
		{"ValidateCustomResourceDefinitionUpdate", agreement.Whole, 47, 26, 0},
		{"cel.Compile", agreement.Stage, 460, 8, 1},
		{"ValidFieldPath", agreement.Stage, 49, 25, 0},
		{"RatchetingSchemaValidator.ValidateUpdate", agreement.Lines, 11, 4, 0},
		{"ValidateCustomResource", agreement.Lines, 165, 60, 6},
		{"ValidateCustomResourceUpdate", agreement.Lines, 12, 1, 0},
		{"ValidateListSetsAndMaps", agreement.Lines, 70, 12, 11},
		{"cel.Validate", agreement.Lines, 1180, 125, 15},
		{"objectmeta.Validate", agreement.Lines, 110, 18, 26},
		{"Prune", agreement.Lines, 90, 19, 12},
		{"Default", agreement.Lines, 21, 6, 0},
		{"ValidateCustomResourceDefinition", agreement.Checks, 65, 48, 0},
		{"validateCustomResourceDefinitionValidation", agreement.Checks, 123, 92, 0},
		{"ValidateCustomResourceDefinitionUpdate", agreement.Checks, 47, 26, 0},
	}
}

// belowFloors returns errors for rows below their floor, and for rows without one.
func belowFloors(rows []row) []error {
	var errs []error
	fail := func(f floor, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s (%s): %s", f.function, f.way, fmt.Sprintf(format, args...)))
	}
	of := func(f floor) func(row) bool {
		return func(r row) bool { return r.function == f.function && r.way == f.way }
	}
	for _, f := range floors() {
		at := slices.IndexFunc(rows, of(f))
		if at < 0 {
			fail(f, "no call was captured, of at least %d", f.calls)
			continue
		}
		r := rows[at]
		if r.calls < f.calls {
			fail(f, "%d calls, of at least %d", r.calls, f.calls)
		}
		if r.speaking < f.speaking {
			fail(f, "%d calls with errors or a change, of at least %d: the others can agree on nothing", r.speaking, f.speaking)
		}
		if r.explained > f.explained {
			fail(f, "%d explained differences, of at most %d: a reason must not take in more than it was made for", r.explained,
				f.explained)
		}
		if r.different > 0 {
			fail(f, "%d differences: fix them, or give the reason in agreement/reasons.go; -v shows them", r.different)
		}
	}
	for _, r := range rows {
		if !slices.ContainsFunc(floors(), func(f floor) bool { return of(f)(r) }) {
			fail(floor{function: r.function, way: r.way}, "%d calls and no floor; set one in floors.go", r.calls)
		}
	}
	return errs
}

// unused returns errors for reasons that explain nothing.
func unused(report *agreement.Report) []error {
	var errs []error
	for _, name := range agreement.Unused(report.Findings) {
		errs = append(errs, fmt.Errorf("%s; remove it from agreement/reasons.go", name))
	}
	return errs
}
