package exploring

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// SiteLines returns which error sites of the hand-written validators of a plan were never reached, and where that
// is unknown and why.
func SiteLines(ctx context.Context, plan *cases.Plan, counter *errorsites.Counter) []string {
	lines := counter.Reached().Lines()
	for _, why := range counter.Unknown() {
		lines = append(lines, "error sites: unknown, because of "+why)
	}
	linked, err := errorsites.ThisProgram()
	counts := linked != nil && slices.ContainsFunc(plan.Suites, (*cases.Suite).Linked)
	if counts {
		reached, err := linked.Reached(ctx, ".")
		lines = append(lines, reached.Lines()...)
		if err != nil {
			lines = append(lines, fmt.Sprintf("%d of %d blocks of the validators in this program were executed; their error sites "+
				"are unknown, because %v", reached.Branches, reached.AllBranches, err))
		}
	} else if err != nil && !errors.Is(err, errorsites.ErrNoCounters) {
		lines = append(lines, fmt.Sprintf("error sites: unknown, because %v", err))
	}
	for _, suite := range plan.Suites {
		if why := suite.Uncounted(); why != "" && !(suite.Linked() && counts) {
			lines = append(lines, fmt.Sprintf("error sites of suite %s: unknown, because %s", suite.Name, why))
		}
	}
	return lines
}
