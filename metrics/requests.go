package metrics

import (
	"fmt"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// Requests counts what a webhook was asked, for programs that compare the requests of an API
// server.
type Requests struct {
	skipped  *prometheus.CounterVec
	answered *prometheus.CounterVec
	seconds  prometheus.Histogram
}

// Requests adds collectors of requests to those of a run. waiting gives the bytes of requests
// that wait for their comparison. Call it once.
func (m *Metrics) Requests(waiting func() int64) *Requests {
	r := &Requests{
		skipped: m.skipped,
		answered: counter("apiserver_declarative_validation_requests_total",
			"Requests of API servers that were answered, by the HTTP status code of the answer: 200 allows the request.",
			[]string{"code"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "apiserver_declarative_validation_request_seconds",
			Help: "Time to read and answer a request. Its comparison comes later.", Buckets: buckets(),
		}),
	}
	queue := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "apiserver_declarative_validation_queue_bytes",
		Help: "Bytes of the requests that wait for their comparison.",
	}, func() float64 { return float64(waiting()) })
	m.registry.MustRegister(r.answered, r.seconds, queue)
	r.answered.WithLabelValues("200") // an alert on a counter needs it to be there before
	for _, reason := range skipReasons() {
		m.skipped.WithLabelValues(string(reason))
	}
	return r
}

// Answered counts a request, and how long its answer took.
func (r *Requests) Answered(code int, elapsed time.Duration) {
	r.answered.WithLabelValues(strconv.Itoa(code)).Inc()
	r.seconds.Observe(elapsed.Seconds())
}

// Text says on one line how many requests were allowed, and how many of them not compared.
func (r *Requests) Text() string {
	total, reasons := 0, ""
	for _, reason := range skipReasons() {
		if n := value(r.skipped.WithLabelValues(string(reason))); n > 0 {
			total += n
			reasons += fmt.Sprintf(", %d %s", n, reason)
		}
	}
	text := fmt.Sprintf("%d requests allowed", value(r.answered.WithLabelValues("200")))
	if total > 0 {
		text += fmt.Sprintf(", %d of them not compared (%s)", total, reasons[2:])
	}
	return text
}

func value(counter prometheus.Counter) int {
	var now dto.Metric
	_ = counter.Write(&now) // a counter has a value
	return int(now.GetCounter().GetValue())
}
