package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/record"
)

// LeftOut counts cases without a target, in the order in which suites and kinds come.
type LeftOut []record.LeftOut

// has reports whether cases of a suite were left out.
func (l LeftOut) has(suite string) bool {
	return slices.ContainsFunc(l, func(left record.LeftOut) bool { return left.Suite == suite })
}

// sorted returns the counts by suite and target, because shards meet the kinds in different orders.
func (l LeftOut) sorted() LeftOut {
	return slices.SortedFunc(slices.Values(l), func(a, b record.LeftOut) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Target, b.Target))
	})
}

// maxLeftOut bounds the memory for cases that are left out: a request may name any kind.
const maxLeftOut = 1000

// Add counts a case of a version that a suite has no target for. It reports whether the case is the
// first of its version.
func (l *LeftOut) Add(suite string, version schema.GroupVersionKind) (first bool) {
	more := record.LeftOut{Suite: suite, Target: apiname.Target(version), Cases: 1}
	if len(*l) >= maxLeftOut && l.index(more) < 0 {
		more.Target = "other kinds"
	}
	return l.add(more)
}

// add adds the cases of a suite and target, and reports whether they are the first.
func (l *LeftOut) add(more record.LeftOut) (first bool) {
	if at := l.index(more); at >= 0 {
		(*l)[at].Cases += more.Cases
		return false
	}
	*l = append(*l, more)
	return true
}

func (l *LeftOut) index(of record.LeftOut) int {
	return slices.IndexFunc(*l, func(known record.LeftOut) bool { return known.Suite == of.Suite && known.Target == of.Target })
}

// unguarded returns a line for each kind of cases that no guard of their suite can see.
func (l LeftOut) unguarded() []string {
	var texts []string
	for _, left := range l.sorted() {
		texts = append(texts, fmt.Sprintf("%s of %s left out of suite %s: none of its webhooks, policies and mutations can see the kind",
			plaintext.Count(left.Cases, "case"), left.Target, left.Suite))
	}
	return texts
}

// LeftOutRequests counts recorded requests that are not cases, by reason.
type LeftOutRequests map[string]int

// Add counts a request.
func (r *LeftOutRequests) Add(reason string) {
	if *r == nil {
		*r = LeftOutRequests{}
	}
	if _, known := (*r)[reason]; !known && len(*r) >= maxLeftOut {
		reason = "of other reasons"
	}
	(*r)[reason]++
}

// Texts returns a line for each reason.
func (r LeftOutRequests) Texts() []string {
	var texts []string
	for _, reason := range slices.Sorted(maps.Keys(r)) {
		texts = append(texts, fmt.Sprintf("recorded requests left out: %d, because %s", r[reason], reason))
	}
	return texts
}
