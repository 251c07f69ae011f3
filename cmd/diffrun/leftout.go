package main

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/reports"
)

// leftOut counts the cases that --ignore-missing-targets leaves out, in the order in
// which suites and kinds came.
type leftOut []reports.LeftOut

// has says whether cases of a suite were left out.
func (l leftOut) has(suite string) bool {
	return slices.ContainsFunc(l, func(left reports.LeftOut) bool { return left.Suite == suite })
}

// add counts a case of a version that a suite has no target for.
func (l *leftOut) add(suite string, version schema.GroupVersionKind) {
	target := harness.TargetName(version)
	for i, known := range *l {
		if known.Suite == suite && known.Target == target {
			(*l)[i].Cases++
			return
		}
	}
	*l = append(*l, reports.LeftOut{Suite: suite, Target: target, Cases: 1})
}
