package run

import (
	"fmt"
	"time"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/equivalence"
)

// ExpiringDays is the default number of days before its last day that an exception is warned of.
const ExpiringDays = 14

// maxSeparateWarnings is how many exceptions that expire together have a warning each.
const maxSeparateWarnings = 3

// expiry is the common part of exceptions that one owner renews together.
type expiry struct {
	file, owner string
	expires     time.Time
}

// expiring returns warnings of the exceptions of a plan that expire within some days. Expired ones are
// problems of a run. Many exceptions of one file and owner that expire on the same day have one
// warning, because they are renewed together.
func expiring(plan *cases.Plan, days int, now time.Time) []string {
	var order []expiry
	together := map[expiry][]*equivalence.Exception{}
	seen := map[*equivalence.Exception]bool{}
	for _, suite := range plan.Suites {
		for _, exception := range suite.Exceptions.All() {
			if seen[exception] || exception.Expired || exception.DaysLeft(now) >= days {
				continue
			}
			seen[exception] = true
			key := expiry{exception.Position.File, exception.Owner, exception.Expires}
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

// warnings returns the warnings for exceptions that expire together.
func (e expiry) warnings(all []*equivalence.Exception, now time.Time) []string {
	first := all[0]
	left := first.DaysLeft(now)
	when := fmt.Sprintf("on %s (%s)", e.expires.Format(time.DateOnly), daysLeft(left))
	if len(all) > maxSeparateWarnings {
		return []string{fmt.Sprintf("%s: exception %q and %d more of this file expire %s; %s must renew them (\"diffrun "+
			"exceptions renew --expiring %d\") or remove them; \"diffrun exceptions list --expiring %d\" shows them",
			first.Position, first.ID, len(all)-1, when, e.owner, left, left)}
	}
	var texts []string
	for _, exception := range all {
		texts = append(texts, fmt.Sprintf("%s: exception %q expires %s; %s must renew it (%s, \"diffrun exceptions renew\") or remove it",
			exception.Position, exception.ID, when, e.owner, exception.Issue))
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
