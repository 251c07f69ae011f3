package exploring

import (
	"fmt"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// mostNeverSites is how many error sites that no input reached are named.
const mostNeverSites = 20

// SiteLines returns which error sites of the hand-written validators of a plan were never reached, and where that
// is unknown and why.
func SiteLines(plan *cases.Plan, counter *errorsites.Counter) (lines []string) {
	if reached := counter.Reached(); reached.Text() != "" {
		lines = append(lines, reached.Text())
		for n, site := range reached.Never {
			if n == mostNeverSites {
				lines = append(lines, fmt.Sprintf("and %s never reached", plaintext.Count(len(reached.Never)-n, "more site")))
				break
			}
			lines = append(lines, fmt.Sprintf("never reached: %s:%d: %s", site.File, site.Line, site.Name))
		}
	}
	for _, why := range counter.Unknown() {
		lines = append(lines, "error sites: unknown, because of "+why)
	}
	for _, suite := range plan.Suites {
		if why := suite.Uncounted(); why != "" {
			lines = append(lines, fmt.Sprintf("error sites of suite %s: unknown, because %s", suite.Name, why))
		}
	}
	return lines
}
