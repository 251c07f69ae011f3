package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// causes lists why refused inputs are not explained, the most frequent cause first. Several causes
// of one input are listed as one.
func causes(refused map[place]refusal, results map[compared]result) string {
	places := map[string][]place{}
	for at, each := range refused {
		of := results[compared{at, each.target}]
		if of.explained() {
			continue
		}
		cause := strings.Join(of.causes, ", ")
		if of.verdict == "" {
			cause = "nothing compares a " + each.target
		}
		places[cause] = append(places[cause], at)
	}
	var sorted []string
	for cause := range places {
		slices.Sort(places[cause])
		sorted = append(sorted, cause)
	}
	slices.SortFunc(sorted, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(places[b]), len(places[a])), cmp.Compare(a, b))
	})
	var out strings.Builder
	for _, cause := range sorted {
		fmt.Fprintf(&out, "%4d  %s, first in %s\n", len(places[cause]), cause, places[cause][0])
	}
	return out.String()
}
