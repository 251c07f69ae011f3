package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// share counts the refused inputs of a group.
type share struct {
	group                                            string
	invalid, explained, excepted, different, unknown int
}

// count sorts what was refused by the verdict in the version in which it was recorded. The last
// share is that of all groups.
func count(refused map[place]refusal, verdicts map[compared]string) []share {
	groups := map[string]*share{}
	all := share{group: "all"}
	for at, each := range refused {
		group := groups[each.group]
		if group == nil {
			group = &share{group: each.group}
			groups[each.group] = group
		}
		for _, s := range []*share{group, &all} {
			s.invalid++
			switch verdicts[compared{at, each.target}] {
			case "equal", "equivalent", "ratcheting":
				s.explained++
			case "excepted":
				s.excepted++
			case "different", "unstable", "fault":
				s.different++
			default:
				s.unknown++
			}
		}
	}
	var sorted []share
	for _, group := range groups {
		sorted = append(sorted, *group)
	}
	slices.SortFunc(sorted, func(a, b share) int { return cmp.Compare(a.group, b.group) })
	return append(sorted, all)
}

// render prints a line for each group. The file of the ratchet has the same lines.
func render(shares []share) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-30s %8s %10s %7s %9s %10s %13s\n", "group", "invalid", "explained", "share", "excepted", "different", "not-compared")
	for _, s := range shares {
		fmt.Fprintf(&out, "%-30s %8d %10d %6.1f%% %9d %10d %13d\n", s.group, s.invalid, s.explained, 100*float64(s.explained)/float64(s.invalid), s.excepted, s.different, s.unknown)
	}
	return out.String()
}

// fallen returns an error that names the groups of which less is explained than the file says.
func fallen(stored string, shares []share) error {
	explained := map[string]int{}
	for _, s := range shares {
		explained[s.group] = s.explained
	}
	var errs []error
	for i, line := range strings.Split(strings.TrimSpace(stored), "\n") {
		if i == 0 {
			continue // the heading
		}
		var group string
		var invalid, before int
		if _, err := fmt.Sscan(line, &group, &invalid, &before); err != nil {
			return fmt.Errorf("line %d of the ratchet: %q is not what -update writes: %w", i+1, line, err)
		}
		if explained[group] < before {
			errs = append(errs, fmt.Errorf("%s: %d inputs are explained, and %d were: mend the schema, or accept it with -update", group, explained[group], before))
		}
	}
	return errors.Join(errs...)
}
