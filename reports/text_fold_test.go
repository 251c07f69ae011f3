package reports_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// manyTargets has a result for each of n kinds of apps and of Pods; the last kind of apps differs.
func manyTargets(n int, suites ...string) recording {
	var run recording
	for _, suite := range suites {
		run.header.Suites = append(run.header.Suites, record.Suite{Name: suite})
		for i := range n {
			kind := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: fmt.Sprintf("Kind%02d", i)}
			result := paired(document(fmt.Sprint(suite, i), nil), kind, words.Equal)
			if i == n-1 {
				result = paired(document(fmt.Sprint(suite, i), nil), kind, words.Different,
					equivalence.Pair{Native: invalid("spec.a", 0, "x"), Class: difference.TooLoose})
			}
			result.Suite = suite
			run.results = append(run.results, result)
		}
		result := paired(document(suite+"-pod", nil), pod, words.Equal)
		result.Suite = suite
		run.results = append(run.results, result)
	}
	return run
}

// asExpected removes the differences.
func asExpected(run recording) recording {
	run.results = slices.DeleteFunc(run.results, func(r harness.Result) bool { return r.Verdict == words.Different })
	return run
}

// A row for each of 70 targets is no overview: expected results are one row per group.
func TestManyTargetsAreFolded(t *testing.T) {
	for _, row := range []struct {
		why     string
		run     recording
		verbose bool
		want    []string
		not     []string
	}{
		{why: "a screenful of rows can be read", run: manyTargets(14, "kubernetes"),
			want: []string{"apps/v1 Kind00 ", "apps/v1 Kind13 ", "v1 Pod "}, not: []string{"targets"}},
		{
			why:  "more rows cannot: a differing target has its row, and the rest of the group shares one",
			run:  manyTargets(20, "kubernetes"),
			want: []string{"✗ apps/v1 Kind19 ", "✓ 19 other targets of apps ", "✓ v1 Pod ", "--verbose lists all 21 targets"},
			not:  []string{"Kind00"},
		},
		{why: "a verbose report leaves nothing out", run: manyTargets(20, "kubernetes"), verbose: true,
			want: []string{"apps/v1 Kind00 ", "apps/v1 Kind19 "}, not: []string{"other targets", "--verbose lists"}},
		{
			why: "of several suites, each is a group", run: manyTargets(9, "first", "second"),
			want: []string{"suite first", "✗ apps/v1 Kind08 ", "✓ 9 other targets of first ", "✓ 9 other targets of second "},
			not:  []string{"Kind00", "v1 Pod"},
		},
		{
			why: "a suite in which nothing differs has one row and no heading", run: asExpected(manyTargets(9, "first", "second")),
			want: []string{"✓ first, 9 targets ", "✓ second, 9 targets "}, not: []string{"suite first", "other"},
		},
	} {
		t.Run(row.why, func(t *testing.T) {
			var out bytes.Buffer
			reporter, err := reports.New("text", &out, reports.Options{Verbose: row.verbose})
			if err != nil {
				t.Fatal(err)
			}
			row.run.play(t, reporter)
			_, table, found := strings.Cut("\n"+out.String(), "\n  target")
			if !found {
				t.Fatalf("no table in\n%s", &out)
			}
			for _, want := range row.want {
				if !strings.Contains(table, want) {
					t.Errorf("the table has no %q:\n%s", want, table)
				}
			}
			for _, not := range row.not {
				if strings.Contains(table, not) {
					t.Errorf("the table has %q:\n%s", not, table)
				}
			}
		})
	}
}
