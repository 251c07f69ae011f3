package counters

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/diffrun/diffrun/metrics"
)

// Fate is the outcome of a new difference or fault that a program keeps in a folder or a bucket. It is the
// value of a label.
type Fate string

const (
	// Written: its case and the text about it are in their place.
	Written Fate = "written"
	// There: a different process had written it.
	There Fate = "there"
	// Failed: it could not be written, and will be tried again. Each failure counts.
	Failed Fate = "failed"
	// Dropped: it is not written, because too many wait or the program ends. If it is found again,
	// it counts as new.
	Dropped Fate = "dropped"
)

// fates lists all fates.
func fates() []Fate { return []Fate{Written, There, Failed, Dropped} }

// Counters are the counters of a long run. They may be used by many goroutines.
type Counters struct {
	results  *metrics.Metrics
	registry *prometheus.Registry
	findings *prometheus.CounterVec
}

// New returns counters that are served together with those of results.
func New(results *metrics.Metrics) *Counters {
	c := &Counters{
		results: results, registry: prometheus.NewRegistry(),
		findings: newCounter("apiserver_declarative_validation_findings_total",
			"New differences and faults, by what became of them in the folder or bucket that keeps them.", "fate"),
	}
	c.registry.MustRegister(c.findings)
	for _, fate := range fates() {
		c.findings.WithLabelValues(string(fate)) // an alert on a counter needs it to exist before it increases
	}
	return c
}

func newCounter(name, help, label string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
}

// Finding counts the outcome of a new difference or fault.
func (c *Counters) Finding(fate Fate) { c.findings.WithLabelValues(string(fate)).Inc() }

// Gatherer returns all counters.
func (c *Counters) Gatherer() prometheus.Gatherer {
	return prometheus.Gatherers{c.results.Gatherer(), c.registry}
}

// Handler serves all counters to a scraper, with exemplars if it asks for OpenMetrics.
func (c *Counters) Handler() http.Handler {
	return promhttp.HandlerFor(c.Gatherer(), promhttp.HandlerOpts{EnableOpenMetrics: true})
}
