package metrics

import (
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/common/expfmt"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Values of the label "backend" of faults.
const (
	backendNative      = "native"
	backendDeclarative = "declarative"
	// backendNone: the case never reached a backend.
	backendNone = "none"
)

// Metrics has the collectors of one run on a registry of their own. It may be used by many goroutines.
type Metrics struct {
	registry           *prometheus.Registry
	differences        *prometheus.CounterVec
	faults             *prometheus.CounterVec
	cases              *prometheus.CounterVec
	skipped            *prometheus.CounterVec
	comparisonSeconds  *prometheus.HistogramVec
	declarativeSeconds *prometheus.HistogramVec
	nativeSeconds      *prometheus.HistogramVec
}

// New returns collectors that have counted nothing yet.
func New() *Metrics {
	kind := []string{"group", "version", "kind"}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		differences: counter("apiserver_declarative_validation_difference_total",
			"Differences between native and declarative validation that no rule and no exception explains, by class.",
			append(kind[:3:3], "operation", "subresource", "class")),
		faults: counter("apiserver_declarative_validation_fault_total",
			"Inputs that could not be decided, by the backend at fault (none: the case never reached one) and the reason.",
			[]string{"backend", "reason"}),
		cases: counter("apiserver_declarative_validation_cases_total",
			"Cases by API version, verdict and effect: stuck, admits or refuses where the verdict changes for the user of the API, "+
				"none where it does not, empty where it was not decided.",
			append(kind[:3:3], "verdict", "effect")),
		skipped: counter("apiserver_declarative_validation_skipped_total",
			"Requests that were not compared, by the reason: what bounds the cost of comparisons, or a request that cannot be one.",
			[]string{"reason"}),
		comparisonSeconds: histogram("apiserver_declarative_validation_difference_seconds",
			"Time for both validations of an input and their comparison.", kind),
		declarativeSeconds: histogram("apiserver_declarative_validation_seconds",
			"Time for the declarative validation of an input.", kind),
		nativeSeconds: histogram("apiserver_native_validation_seconds",
			"Time for the native validation of an input.", kind),
	}
	m.registry.MustRegister(m.differences, m.faults, m.cases, m.skipped, m.comparisonSeconds, m.declarativeSeconds, m.nativeSeconds)
	for _, backend := range []string{backendNative, backendDeclarative, backendNone} {
		for _, reason := range words.FaultReasons() {
			m.faults.WithLabelValues(backend, string(reason))
		}
	}
	return m
}

// ExpectSkips creates the counters of reasons with the value 0. Prometheus sees no increase of a
// counter that did not exist before.
func (m *Metrics) ExpectSkips(reasons ...words.SkipReason) {
	for _, reason := range reasons {
		m.skipped.WithLabelValues(string(reason))
	}
}

// Expect creates the counters of kinds with the value 0: verdicts that change, and the differences of
// objects and of their status. Prometheus sees no increase of a counter that did not exist before, so
// without Expect an alert misses the first difference of a kind.
func (m *Metrics) Expect(kinds ...schema.GroupVersionKind) {
	for _, kind := range kinds {
		kind = labels(kind)
		m.expectChangedVerdicts(kind)
		// most kinds have no connections
		for _, operation := range []admissionv1.Operation{admissionv1.Create, admissionv1.Update, admissionv1.Delete} {
			m.addDifferences(kind, operation, "", nil, "")
		}
		m.addDifferences(kind, admissionv1.Update, "status", nil, "")
	}
}

func (m *Metrics) expectChangedVerdicts(kind schema.GroupVersionKind) {
	for _, effect := range []words.Effect{words.Stuck, words.Admits, words.Refuses} {
		m.cases.WithLabelValues(kind.Group, kind.Version, kind.Kind, string(words.Different), string(effect))
	}
}

// Skip counts a request that is not compared.
func (m *Metrics) Skip(reason words.SkipReason) { m.skipped.WithLabelValues(string(reason)).Inc() }

func counter(name, help string, labels []string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func histogram(name, help string, labels []string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets()}, labels)
}

// buckets reach from a small valid object, 10 µs, to a list of large ones under costly CEL rules, 1 s.
func buckets() []float64 {
	return []float64{.00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1}
}

// Observe counts a result. It observes only the times of validations that came to an answer; the
// others are faults.
func (m *Metrics) Observe(r harness.Result) {
	r.Version = labels(r.Version)
	kind := r.Version
	m.expectChangedVerdicts(kind)
	m.cases.WithLabelValues(kind.Group, kind.Version, kind.Kind, string(r.Verdict), string(r.Effect)).Inc()
	m.countFault(backendNone, r.Fault)
	m.countFault(backendNative, r.Native.Fault)
	m.countFault(backendDeclarative, r.Declarative.Fault)
	if r.Fault != nil || r.Verdict == words.Inexpressible {
		return
	}
	m.countDifferences(r)
	if r.Native.Fault == nil {
		observe(m.nativeSeconds, kind, r.Native.Elapsed)
	}
	if r.Declarative.Fault == nil {
		observe(m.declarativeSeconds, kind, r.Declarative.Elapsed)
	}
	if r.Native.Fault == nil && r.Declarative.Fault == nil {
		observe(m.comparisonSeconds, kind, r.Elapsed)
	}
}

func (m *Metrics) countFault(backend string, fault *contract.Fault) {
	if fault != nil {
		m.faults.WithLabelValues(backend, string(fault.Reason)).Inc()
	}
}

func (m *Metrics) countDifferences(r harness.Result) {
	unexplained := map[difference.Class]int{}
	for _, pair := range r.Pairs {
		if !pair.Explained() {
			unexplained[pair.Class]++
		}
	}
	m.addDifferences(r.Version, r.Case.Operation(), subresource(r.Case.Subresource), unexplained, r.Case.ID)
}

// addDifferences adds to the counters of all classes, mostly zero: Prometheus sees no increase of a
// counter that did not exist before.
func (m *Metrics) addDifferences(kind schema.GroupVersionKind, operation admissionv1.Operation, subresource string,
	unexplained map[difference.Class]int, id string) {
	for _, class := range difference.Classes() {
		if class.Explained() {
			continue // cases_total counts them
		}
		add(m.differences.WithLabelValues(kind.Group, kind.Version, kind.Kind, string(operation), subresource, string(class)),
			unexplained[class], id)
	}
}

// add counts differences, with the id of their case as the exemplar. OpenMetrics limits the length of
// an exemplar.
func add(differences prometheus.Counter, n int, id string) {
	if n == 0 || id == "" {
		differences.Add(float64(n))
		return
	}
	exemplar := prometheus.Labels{"case": plaintext.Cut(id, prometheus.ExemplarMaxRunes/2)}
	differences.(prometheus.ExemplarAdder).AddWithExemplar(float64(n), exemplar)
}

func observe(histogram *prometheus.HistogramVec, kind schema.GroupVersionKind, elapsed time.Duration) {
	histogram.WithLabelValues(kind.Group, kind.Version, kind.Kind).Observe(elapsed.Seconds())
}

// labels returns the names of a kind as labels. They may come from a definition that no API server has
// checked, and a registry panics on text that is not UTF-8.
func labels(kind schema.GroupVersionKind) schema.GroupVersionKind {
	label := func(name string) string { return plaintext.Cut(name, plaintext.MaxCell) }
	return schema.GroupVersionKind{Group: label(kind.Group), Version: label(kind.Version), Kind: label(kind.Kind)}
}

// subresource limits the values of the label: a case may name any subresource.
func subresource(name string) string {
	if name != "" && !slices.Contains(apiname.Subresources(), name) {
		return apiname.OtherSubresource
	}
	return name
}

// Collector returns the collectors for programs that register them on a registry of their own.
func (m *Metrics) Collector() prometheus.Collector { return m.registry }

// Gatherer returns the collectors for programs that serve them among others, or write them to a file
// (prometheus.WriteToTextfile).
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// Handler serves the collectors to a scraper. If it asks for OpenMetrics, it also gets exemplars: the
// id of a case that shows a difference.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
}

// Write writes the collectors in the text format.
func (m *Metrics) Write(w io.Writer) error {
	families, err := m.registry.Gather()
	if err != nil {
		return err
	}
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
			return err
		}
	}
	return nil
}
