package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/reports"
)

// leftOut counts the cases that --ignore-missing-targets leaves out, in the order in
// which suites and kinds come.
type leftOut []reports.LeftOut

// has says whether cases of a suite were left out.
func (l leftOut) has(suite string) bool {
	return slices.ContainsFunc(l, func(left reports.LeftOut) bool { return left.Suite == suite })
}

// sorted gives the counts by suite and target: parts of a run meet the kinds in another order.
func (l leftOut) sorted() leftOut {
	return slices.SortedFunc(slices.Values(l), func(a, b reports.LeftOut) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Target, b.Target))
	})
}

// mostLeftOut bounds what is kept about cases that are left out: a request may name any kind.
const mostLeftOut = 1000

// add counts a case of a version that a suite has no target for, and says whether it is the
// first one.
func (l *leftOut) add(suite string, version schema.GroupVersionKind) (first bool) {
	target := apiname.Target(version)
	if len(*l) >= mostLeftOut && !slices.ContainsFunc(*l, func(known reports.LeftOut) bool { return known.Suite == suite && known.Target == target }) {
		target = "other kinds"
	}
	for i, known := range *l {
		if known.Suite == suite && known.Target == target {
			(*l)[i].Cases++
			return false
		}
	}
	*l = append(*l, reports.LeftOut{Suite: suite, Target: target, Cases: 1})
	return true
}

// requestsLeftOut counts the recorded requests that are no cases, by reason.
type requestsLeftOut struct{ counts map[string]int }

// add counts a request.
func (r *requestsLeftOut) add(reason string) {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	if _, known := r.counts[reason]; !known && len(r.counts) >= mostLeftOut {
		reason = "of other reasons"
	}
	r.counts[reason]++
}

// texts has a line for each reason.
func (r *requestsLeftOut) texts() []string {
	var texts []string
	for _, reason := range slices.Sorted(maps.Keys(r.counts)) {
		texts = append(texts, fmt.Sprintf("recorded requests left out: %d, because %s", r.counts[reason], reason))
	}
	return texts
}
