package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// firstKinds are the kinds that were compared before all others. They have a share of their own.
var firstKinds = []string{
	"ConfigMap", "Pod", "Service", "Deployment", "StatefulSet", "CronJob", "Job",
	"HorizontalPodAutoscaler", "NetworkPolicy", "PodDisruptionBudget", "Role",
}

// share counts the refused inputs of a group.
type share struct {
	group                                            string
	invalid, explained, excepted, different, unknown int
}

// count counts the refused inputs by the verdict in the version in which they were recorded. The
// last two shares are those of firstKinds and of all groups.
func count(refused map[place]refusal, results map[compared]result) []share {
	groups := map[string]*share{}
	first, all := share{group: "first-kinds"}, share{group: "all"}
	for at, each := range refused {
		group := groups[each.group]
		if group == nil {
			group = &share{group: each.group}
			groups[each.group] = group
		}
		counted := []*share{group, &all}
		if _, kind, _ := strings.Cut(each.target, " "); slices.Contains(firstKinds, kind) {
			counted = append(counted, &first)
		}
		for _, s := range counted {
			s.add(results[compared{at, each.target}])
		}
	}
	var sorted []share
	for _, group := range groups {
		sorted = append(sorted, *group)
	}
	slices.SortFunc(sorted, func(a, b share) int { return cmp.Compare(a.group, b.group) })
	return append(sorted, first, all)
}

func (s *share) add(of result) {
	s.invalid++
	switch {
	case of.explained():
		s.explained++
	case of.verdict == "excepted":
		s.excepted++
	case of.verdict == "":
		s.unknown++
	default:
		s.different++
	}
}

// render prints a line for each group. The file of the ratchet has the same lines.
func render(shares []share) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-30s %8s %10s %7s %9s %10s %13s\n", "group", "invalid", "explained", "share", "excepted", "different",
		"not-compared")
	for _, s := range shares {
		fmt.Fprintf(&out, "%-30s %8d %10d %6.1f%% %9d %10d %13d\n", s.group, s.invalid, s.explained,
			100*float64(s.explained)/float64(s.invalid), s.excepted, s.different, s.unknown)
	}
	return out.String()
}

// fallen returns an error that names the groups with fewer explained inputs than the file records.
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
			errs = append(errs, fmt.Errorf("%s: %d inputs are explained, and %d were: fix the schema, or accept it with -update",
				group, explained[group], before))
		}
	}
	return errors.Join(errs...)
}
