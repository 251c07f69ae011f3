package metrics_test

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/metrics"
)

// Observe counts each result of a run, for instance in the sink of harness.Run. Here the counters are written
// at the end; with Handler, Prometheus scrapes them during the run.
func ExampleNew() {
	counters := metrics.New()
	counters.Observe(harness.Result{
		Case:    &harness.Case{Object: map[string]any{}},
		Version: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
		Verdict: words.Different,
		Effect:  words.Admits,
		Pairs:   []equivalence.Pair{{Class: difference.TooLoose}},
	})
	var text bytes.Buffer
	if err := counters.Write(&text); err != nil {
		fmt.Println(err)
		return
	}
	for lines := bufio.NewScanner(&text); lines.Scan(); {
		if name, labels, ok := strings.Cut(lines.Text(), "{"); ok && strings.HasSuffix(name, "_total") && strings.HasSuffix(labels, " 1") {
			fmt.Println(name)
			fmt.Println("  " + labels)
		}
	}
	// Output:
	// apiserver_declarative_validation_cases_total
	//   effect="admits",group="apps",kind="Deployment",verdict="different",version="v1"} 1
	// apiserver_declarative_validation_difference_total
	//   class="too-loose",group="apps",kind="Deployment",operation="CREATE",subresource="",version="v1"} 1
}

// Skip counts requests that were not compared, by the reason. ExpectSkips makes the counters zero before.
func ExampleMetrics_Skip() {
	counters := metrics.New()
	reasons := []words.SkipReason{words.SkippedBySample, words.SkippedByOverhead, words.SkippedByTarget}
	counters.ExpectSkips(reasons...)
	counters.Skip(words.SkippedBySample)
	var text bytes.Buffer
	if err := counters.Write(&text); err != nil {
		fmt.Println(err)
		return
	}
	for _, reason := range reasons {
		fmt.Println(reason, strings.Contains(text.String(), fmt.Sprintf("{reason=%q} 1\n", reason)))
	}
	// Output:
	// sample true
	// overhead false
	// target false
}
