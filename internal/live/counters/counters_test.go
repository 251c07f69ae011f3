package counters_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/metrics"
)

// An alert on a counter needs it before it increases, so all fates and reasons have a counter from the start.
func TestCountersExistBeforeTheyIncrease(t *testing.T) {
	all := counters.New(metrics.New())
	requests := all.Requests(func() int64 { return 7 })
	all.Finding(counters.There)
	requests.Answered(200, time.Millisecond)
	requests.Answered(200, time.Millisecond)
	requests.Answered(400, time.Millisecond)
	requests.Skip(counters.SkippedByBody)
	want := `# HELP apiserver_declarative_validation_findings_total New differences and faults, by what became of them in ` +
		`the folder or bucket that keeps them.
# TYPE apiserver_declarative_validation_findings_total counter
apiserver_declarative_validation_findings_total{fate="dropped"} 0
apiserver_declarative_validation_findings_total{fate="failed"} 0
apiserver_declarative_validation_findings_total{fate="there"} 1
apiserver_declarative_validation_findings_total{fate="written"} 0
# HELP apiserver_declarative_validation_queue_bytes Bytes of the requests that wait for their comparison.
# TYPE apiserver_declarative_validation_queue_bytes gauge
apiserver_declarative_validation_queue_bytes 7
# HELP apiserver_declarative_validation_requests_total Requests of API servers that were answered, by the HTTP status ` +
		`code of the answer: 200 allows the request.
# TYPE apiserver_declarative_validation_requests_total counter
apiserver_declarative_validation_requests_total{code="200"} 2
apiserver_declarative_validation_requests_total{code="400"} 1
# HELP apiserver_declarative_validation_skipped_total Requests that were not compared, by the reason: what bounds the ` +
		`cost of comparisons, or a request that cannot be one.
# TYPE apiserver_declarative_validation_skipped_total counter
apiserver_declarative_validation_skipped_total{reason="body"} 1
apiserver_declarative_validation_skipped_total{reason="queue"} 0
apiserver_declarative_validation_skipped_total{reason="request"} 0
apiserver_declarative_validation_skipped_total{reason="stop"} 0
apiserver_declarative_validation_skipped_total{reason="target"} 0
`
	names := []string{
		"apiserver_declarative_validation_findings_total",
		"apiserver_declarative_validation_queue_bytes",
		"apiserver_declarative_validation_requests_total",
		"apiserver_declarative_validation_skipped_total",
	}
	if err := testutil.GatherAndCompare(all.Gatherer(), strings.NewReader(want), names...); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.GatherAndLint(all.Gatherer()); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	if got, want := requests.Text(), "2 requests allowed, 1 of them not compared (1 body)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
