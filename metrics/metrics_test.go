package metrics_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/metrics"
)

var deployment = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}

func result(verdict words.Verdict, change func(*harness.Result)) harness.Result {
	r := harness.Result{
		Suite: "kubernetes", Case: &harness.Case{Object: map[string]any{}}, Version: deployment, Verdict: verdict,
		Native:      harness.Outcome{Elapsed: 20 * time.Microsecond},
		Declarative: harness.Outcome{Elapsed: 40 * time.Microsecond},
		Elapsed:     90 * time.Microsecond,
	}
	if verdict != words.Faulted && verdict != words.Inexpressible {
		r.Effect = words.NoEffect
	}
	if change != nil {
		change(&r)
	}
	return r
}

func fault(reason words.FaultReason) *contract.Fault {
	return &contract.Fault{Reason: reason, Err: errors.New("boom")}
}

func pair(class difference.Class) equivalence.Pair {
	return equivalence.Pair{Class: class, Native: field.Required(field.NewPath("spec"), "")}
}

// scraped gathers what a scraper would see.
func scraped(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	m.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if recorder.Code != http.StatusOK {
		t.Fatalf("status %d: %s", recorder.Code, recorder.Body)
	}
	return recorder.Body.String()
}

func TestResultsAreCounted(t *testing.T) {
	const (
		differences = "apiserver_declarative_validation_difference_total"
		faults      = "apiserver_declarative_validation_fault_total"
		cases       = "apiserver_declarative_validation_cases_total"
	)
	accepted := pair(difference.TooLoose)
	accepted.Exception = &equivalence.Exception{ID: "known"}
	for _, row := range []struct {
		why    string
		result harness.Result
		want   []string // samples that are not zero, of counters and of the counts of histograms
	}{
		{"an agreement is a case and three times", result(words.Equal, nil), []string{
			cases + `{effect="none",group="apps",kind="Deployment",verdict="equal",version="v1"} 1`,
			`apiserver_declarative_validation_difference_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
			`apiserver_declarative_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
			`apiserver_native_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
		}},
		{"only unexplained pairs are differences, each counted by its class", result(words.Different, func(r *harness.Result) {
			r.Pairs = []equivalence.Pair{
				{Native: field.Required(nil, "")},
				pair(difference.TooLoose),
				pair(difference.TooLoose),
				pair(difference.Path),
				accepted,
			}
			r.Case.Old, r.Case.Subresource = map[string]any{}, "status"
		}), []string{
			cases + `{effect="none",group="apps",kind="Deployment",verdict="different",version="v1"} 1`,
			`apiserver_declarative_validation_difference_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
			differences + `{class="path",group="apps",kind="Deployment",operation="UPDATE",subresource="status",version="v1"} 1`,
			differences + `{class="too-loose",group="apps",kind="Deployment",operation="UPDATE",subresource="status",version="v1"} 2`,
			`apiserver_declarative_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
			`apiserver_native_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
		}},
		{"a changed verdict is distinguished from an unchanged one", result(words.Excepted, func(r *harness.Result) {
			r.Pairs, r.Effect = []equivalence.Pair{accepted}, words.Admits
		}), []string{
			cases + `{effect="admits",group="apps",kind="Deployment",verdict="excepted",version="v1"} 1`,
			`apiserver_declarative_validation_difference_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
			`apiserver_declarative_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
			`apiserver_native_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
		}},
		{"a backend that hung has no time, the other one has; there was no comparison", result(words.Faulted, func(r *harness.Result) {
			r.Native.Fault = fault(words.FaultTimeout)
		}), []string{
			cases + `{effect="",group="apps",kind="Deployment",verdict="fault",version="v1"} 1`,
			faults + `{backend="native",reason="timeout"} 1`,
			`apiserver_declarative_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
		}},
		{"a fault of the declarative backend", result(words.Faulted, func(r *harness.Result) {
			r.Declarative.Fault = fault(words.FaultPanic)
		}), []string{
			cases + `{effect="",group="apps",kind="Deployment",verdict="fault",version="v1"} 1`,
			faults + `{backend="declarative",reason="panic"} 1`,
			`apiserver_native_validation_seconds_count{group="apps",kind="Deployment",version="v1"} 1`,
		}},
		{"a case that cannot be read is nobody's fault and took no time", result(words.Faulted, func(r *harness.Result) {
			r.Fault, r.Native, r.Declarative = fault(words.FaultInput), harness.Outcome{}, harness.Outcome{}
		}), []string{
			cases + `{effect="",group="apps",kind="Deployment",verdict="fault",version="v1"} 1`,
			faults + `{backend="none",reason="input"} 1`,
		}},
		{"an inexpressible case was not compared", result(words.Inexpressible, func(r *harness.Result) {
			r.Inexpressible, r.Native, r.Declarative = "the field is lost", harness.Outcome{}, harness.Outcome{}
		}), []string{
			cases + `{effect="",group="apps",kind="Deployment",verdict="inexpressible",version="v1"} 1`,
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			m := metrics.New()
			m.Observe(row.result)
			var got []string
			for line := range strings.Lines(scraped(t, m)) {
				line = strings.TrimSpace(line)
				if !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, " 0") && !strings.Contains(line, "_bucket{") &&
					!strings.Contains(line, "_sum{") {
					got = append(got, line)
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Dashboards and alerts depend on the whole text.
func TestExposition(t *testing.T) {
	const metadata = `
		# HELP apiserver_native_validation_seconds Time for the native validation of an input.
		# TYPE apiserver_native_validation_seconds histogram
`
	var want strings.Builder
	want.WriteString(metadata)
	for _, bucket := range []struct {
		le    string
		count int
	}{
		{"1e-05", 0}, {"2.5e-05", 1}, {"5e-05", 1}, {"0.0001", 1}, {"0.00025", 1}, {"0.0005", 1}, {"0.001", 1}, {"0.0025", 1},
		{"0.005", 1}, {"0.01", 1}, {"0.025", 1}, {"0.05", 1}, {"0.1", 1}, {"0.25", 1}, {"0.5", 2}, {"1", 2}, {"+Inf", 3},
	} {
		fmt.Fprintf(&want, "apiserver_native_validation_seconds_bucket{group=\"apps\",kind=\"Deployment\",version=\"v1\",le=%q} %d\n",
			bucket.le, bucket.count)
	}
	want.WriteString("apiserver_native_validation_seconds_sum{group=\"apps\",kind=\"Deployment\",version=\"v1\"} 2.50002\n")
	want.WriteString("apiserver_native_validation_seconds_count{group=\"apps\",kind=\"Deployment\",version=\"v1\"} 3\n")
	m := metrics.New()
	for _, elapsed := range []time.Duration{20 * time.Microsecond, 500 * time.Millisecond, 2 * time.Second} {
		m.Observe(result(words.Equal, func(r *harness.Result) { r.Native.Elapsed = elapsed }))
	}
	if err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want.String()), "apiserver_native_validation_seconds"); err != nil {
		t.Error(err)
	}
}

func TestClassesAndFaultsAreThereBeforeTheyOccur(t *testing.T) {
	m := metrics.New()
	if n, err := testutil.GatherAndCount(m.Gatherer(), "apiserver_declarative_validation_fault_total"); err != nil ||
		n != 3*len(words.FaultReasons()) {
		t.Errorf("%d series of faults before any result (%v); an alert on a rise needs them all", n, err)
	}
	m.Observe(result(words.Equal, nil))
	if n, err := testutil.GatherAndCount(m.Gatherer(), "apiserver_declarative_validation_difference_total"); err != nil ||
		n != unexplainedClasses() {
		t.Errorf("%d series of differences after an agreement (%v); an alert on a rise needs one for each class", n, err)
	}
}

// TestExpect: a kind has its counters before the first result, and its results increase the same ones.
func TestExpect(t *testing.T) {
	const differences, cases = "apiserver_declarative_validation_difference_total", "apiserver_declarative_validation_cases_total"
	m := metrics.New()
	m.Expect(deployment, schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"})
	series := func(name string) int {
		t.Helper()
		n, err := testutil.GatherAndCount(m.Gatherer(), name)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	want := map[string]int{
		cases:       2 * 3,                        // stuck, admits and refuses
		differences: 2 * 4 * unexplainedClasses(), // CREATE, UPDATE, DELETE, and UPDATE of the status
	}
	for name, want := range want {
		if got := series(name); got != want {
			t.Errorf("%d series of %s before any result, want %d", got, name, want)
		}
	}
	for line := range strings.Lines(scraped(t, m)) {
		if !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, " 0\n") {
			t.Errorf("not 0 before any result: %s", line)
		}
	}
	m.Observe(result(words.Different, func(r *harness.Result) {
		r.Effect, r.Pairs = words.Admits, []equivalence.Pair{pair(difference.TooLoose)}
		r.Case.Old, r.Case.Subresource = map[string]any{}, "status"
	}))
	for name, want := range want {
		if got := series(name); got != want {
			t.Errorf("%d series of %s after a difference, want the same %d: an alert sees no increase of a new one", got, name, want)
		}
	}
}

func TestNamesPassTheLinter(t *testing.T) {
	m := metrics.New()
	m.Observe(result(words.Different, nil))
	problems, err := testutil.GatherAndLint(m.Gatherer())
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("%s: %s", problem.Metric, problem.Text)
	}
}

// Cases name their subresource; a label must not grow with the cases.
func TestLabelsAreBounded(t *testing.T) {
	m := metrics.New()
	for i := range 100 {
		m.Observe(result(words.Equal, func(r *harness.Result) {
			r.Case.Subresource = fmt.Sprint("made-up-", i)
			r.Case.ID = fmt.Sprint("case-", i)
		}))
	}
	n, err := testutil.GatherAndCount(m.Gatherer(), "apiserver_declarative_validation_difference_total")
	if err != nil || n != unexplainedClasses() {
		t.Errorf("100 subresources gave %d series, want %d (%v)", n, unexplainedClasses(), err)
	}
	if text := scraped(t, m); !strings.Contains(text, `subresource="other"`) || strings.Contains(text, "made-up") {
		t.Errorf("a subresource that is not known must count as other:\n%s", text)
	}
}

// Two runs in one process must not share a registry of the library.
func TestRunsDoNotShareARegistry(t *testing.T) {
	one, other := metrics.New(), metrics.New()
	one.Observe(result(words.Equal, nil))
	if strings.Contains(scraped(t, other), "cases_total{") {
		t.Error("a result of one run was counted in another")
	}
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if strings.Contains(family.GetName(), "_validation_") {
			t.Errorf("%s is on the default registry", family.GetName())
		}
	}
}

func TestResultsCanBeObservedAtOnce(t *testing.T) {
	m := metrics.New()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				m.Observe(result(words.Equal, nil))
			}
		})
	}
	group.Wait()
	if want := `verdict="equal",version="v1"} 400`; !strings.Contains(scraped(t, m), want) {
		t.Errorf("want %s in:\n%s", want, scraped(t, m))
	}
}

// TestWrite: the output equals what a scraper sees.
func TestWrite(t *testing.T) {
	m := metrics.New()
	m.Observe(result(words.Equal, nil))
	var got strings.Builder
	if err := m.Write(&got); err != nil {
		t.Fatal(err)
	}
	if got.String() != scraped(t, m) {
		t.Errorf("a scraper sees something else:\n%s", got.String())
	}
}

// Names of kinds come from definitions that no API server has checked. They become labels that are printable
// and of bounded length.
func TestHostileKinds(t *testing.T) {
	m := metrics.New()
	for _, name := range []string{"a\x1b[2J\n\u202e##vso[b]\xff", strings.Repeat("long", 100_000)} {
		m.Observe(result(words.Different, func(r *harness.Result) {
			r.Version = schema.GroupVersionKind{Group: name, Version: name, Kind: name}
			r.Pairs = []equivalence.Pair{pair(difference.TooLoose)}
		}))
	}
	text := scraped(t, m)
	if !strings.Contains(text, `kind="a\\x1b[2J\\n\\u202e\\x23#vso[b]\\xff"`) {
		t.Errorf("the name is not there, or not escaped: %.2000q", text)
	}
	for line := range strings.Lines(text) {
		if !utf8.ValidString(line) || strings.ContainsAny(line, "\x1b\u202e") || len(line) > 1_000 {
			t.Fatalf("%d bytes: %.200q", len(line), line)
		}
	}
}

// unexplainedClasses returns the classes by which differences are counted.
func unexplainedClasses() int {
	n := 0
	for _, class := range difference.Classes() {
		if !class.Explained() {
			n++
		}
	}
	return n
}

// TestExemplars: a scraper that asks for OpenMetrics gets a case that shows a difference.
func TestExemplars(t *testing.T) {
	m := metrics.New()
	m.Observe(harness.Result{
		Version: deployment, Verdict: words.Different, Effect: words.Admits,
		Case:  &harness.Case{ID: "cases.yaml#" + strings.Repeat("é", 200), Object: map[string]any{}},
		Pairs: []equivalence.Pair{{Native: field.Required(nil, ""), Class: difference.TooLoose}},
	})
	request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	request.Header.Set("Accept", "application/openmetrics-text; version=1.0.0")
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, request)
	want := `apiserver_declarative_validation_difference_total{class="too-loose",group="apps",kind="Deployment",` +
		`operation="CREATE",subresource="",version="v1"} 1.0 # {case="cases.yaml#éé`
	if !strings.Contains(answer.Body.String(), want) {
		t.Errorf("no line begins with %s:\n%s", want, answer.Body)
	}
}

// TestSkipped: requests that are not compared are counted, and a program finds the collectors in its own
// registry.
func TestSkipped(t *testing.T) {
	m := metrics.New()
	m.Skip(words.SkippedBySample)
	m.Skip(words.SkippedByOverhead)
	m.Skip(words.SkippedByOverhead)
	own := prometheus.NewRegistry()
	if err := own.Register(m.Collector()); err != nil {
		t.Fatal(err)
	}
	want := `# HELP apiserver_declarative_validation_skipped_total Requests that were not compared, by the reason: ` +
		`what bounds the cost of comparisons, or a request that cannot be one.
# TYPE apiserver_declarative_validation_skipped_total counter
apiserver_declarative_validation_skipped_total{reason="overhead"} 2
apiserver_declarative_validation_skipped_total{reason="sample"} 1
`
	if err := testutil.GatherAndCompare(own, strings.NewReader(want), "apiserver_declarative_validation_skipped_total"); err != nil {
		t.Error(err)
	}
}
