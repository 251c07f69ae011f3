package counters

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/metrics"
)

// The reasons why a webhook does not compare a request, in addition to words.SkippedByTarget.
const (
	// SkippedByQueue: the queue of requests was full.
	SkippedByQueue words.SkipReason = "queue"
	// SkippedByBody: the request was too large.
	SkippedByBody words.SkipReason = "body"
	// SkippedByRequest: the request is no case, for instance because it has no object.
	SkippedByRequest words.SkipReason = "request"
	// SkippedByStop: the program ended before the comparison.
	SkippedByStop words.SkipReason = "stop"
)

// skipReasons lists the reasons of a webhook.
func skipReasons() []words.SkipReason {
	return []words.SkipReason{SkippedByQueue, SkippedByBody, words.SkippedByTarget, SkippedByRequest, SkippedByStop}
}

// Requests counts the requests of API servers that a webhook answered.
type Requests struct {
	results  *metrics.Metrics
	answered *prometheus.CounterVec
	seconds  prometheus.Histogram

	mu      sync.Mutex
	allowed int
	skipped map[words.SkipReason]int
}

// Requests adds the counters of requests. waiting returns the bytes of requests that wait for their
// comparison. Call it once.
func (c *Counters) Requests(waiting func() int64) *Requests {
	r := &Requests{
		results: c.results, skipped: map[words.SkipReason]int{},
		answered: newCounter("apiserver_declarative_validation_requests_total",
			"Requests of API servers that were answered, by the HTTP status code of the answer: 200 allows the request.", "code"),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "apiserver_declarative_validation_request_seconds",
			Help: "Time to read and answer a request. Its comparison comes later.", Buckets: requestBuckets(),
		}),
	}
	queue := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "apiserver_declarative_validation_queue_bytes",
		Help: "Bytes of the requests that wait for their comparison.",
	}, func() float64 { return float64(waiting()) })
	c.registry.MustRegister(r.answered, r.seconds, queue)
	r.answered.WithLabelValues("200")
	c.results.ExpectSkips(skipReasons()...)
	return r
}

// requestBuckets reach from a small request, 10 µs, to a slow one, 1 s.
func requestBuckets() []float64 {
	return []float64{.00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1}
}

// Skip counts a request that is not compared.
func (r *Requests) Skip(reason words.SkipReason) {
	r.results.Skip(reason)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.skipped[reason]++
}

// Answered counts a request, and how long its answer took.
func (r *Requests) Answered(code int, elapsed time.Duration) {
	r.answered.WithLabelValues(strconv.Itoa(code)).Inc()
	r.seconds.Observe(elapsed.Seconds())
	if code == http.StatusOK {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.allowed++
	}
}

// Text returns one line: how many requests were allowed, and how many of them were not compared.
func (r *Requests) Text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	total, reasons := 0, ""
	for _, reason := range skipReasons() {
		if n := r.skipped[reason]; n > 0 {
			total += n
			reasons += fmt.Sprintf(", %d %s", n, reason)
		}
	}
	text := fmt.Sprintf("%d requests allowed", r.allowed)
	if total > 0 {
		text += fmt.Sprintf(", %d of them not compared (%s)", total, reasons[2:])
	}
	return text
}
