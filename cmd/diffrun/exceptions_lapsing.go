package main

import (
	"fmt"
	"time"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/equivalence"
)

// lapsingApart is how many exceptions that lapse together have a warning each.
const lapsingApart = 3

// lapse is what exceptions that one owner renews in one go have in common.
type lapse struct {
	file, owner string
	expires     time.Time
}

// lapsing says which exceptions of a plan lapse within so many days. Expired ones are
// problems of a run. Many exceptions of one file and owner that lapse on the same day are
// one warning, because they are renewed in one go.
func lapsing(plan *cases.Plan, days int, now time.Time) []string {
	var order []lapse
	together := map[lapse][]*equivalence.Exception{}
	seen := map[*equivalence.Exception]bool{}
	for _, suite := range plan.Suites {
		for _, exception := range suite.Exceptions.All() {
			if seen[exception] || exception.Expired || exception.DaysLeft(now) >= days {
				continue
			}
			seen[exception] = true
			key := lapse{exception.Position.File, exception.Owner, exception.Expires}
			if len(together[key]) == 0 {
				order = append(order, key)
			}
			together[key] = append(together[key], exception)
		}
	}
	var texts []string
	for _, key := range order {
		texts = append(texts, key.warnings(together[key], now)...)
	}
	return texts
}

// warnings gives the warnings for exceptions that lapse together.
func (l lapse) warnings(all []*equivalence.Exception, now time.Time) []string {
	first := all[0]
	left := first.DaysLeft(now)
	when := fmt.Sprintf("on %s (%s)", l.expires.Format(time.DateOnly), daysLeft(left))
	if len(all) > lapsingApart {
		return []string{fmt.Sprintf("%s: exception %q and %d more of this file expire %s; %s must renew them (\"diffrun exceptions renew --expiring %d\") or remove them; \"diffrun exceptions list --expiring %d\" shows them",
			first.Position, first.ID, len(all)-1, when, l.owner, left, left)}
	}
	var texts []string
	for _, exception := range all {
		texts = append(texts, fmt.Sprintf("%s: exception %q expires %s; %s must renew it (%s, \"diffrun exceptions renew\") or remove it",
			exception.Position, exception.ID, when, l.owner, exception.Issue))
	}
	return texts
}

func daysLeft(left int) string {
	switch left {
	case 0:
		return "today"
	case 1:
		return "tomorrow"
	}
	return fmt.Sprintf("in %d days", left)
}
