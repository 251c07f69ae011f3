package diffrun_test

import (
	"encoding/json"
	"errors"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/live/counters"
	schemadiff "github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/testing/markdown"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

// TestDocumentedMetrics compares the table of metrics with those that a run gathers.
func TestDocumentedMetrics(t *testing.T) {
	m := metrics.New()
	m.Observe(harness.Result{
		Case: &harness.Case{}, Version: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Verdict: words.Different,
		Pairs: []equivalence.Pair{{Class: difference.TooLoose, Native: field.Required(field.NewPath("spec"), "")}},
	})
	m.Skip(words.SkippedBySample)
	all := counters.New(m)
	all.Requests(func() int64 { return 0 })
	families, err := all.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	var gathered [][3]string
	for _, family := range families {
		var labels []string
		for _, label := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, label.GetName())
		}
		gathered = append(gathered, [3]string{family.GetName(), kindOf(family.GetType()), strings.Join(labels, " ")})
	}
	page := readPage(t, "docs/reference/metrics.md")
	var documented [][3]string
	for _, row := range page.Tables[0].Rows {
		labels := strings.Fields(markdown.Plain(row.Cells["labels"]))
		slices.Sort(labels)
		documented = append(documented, [3]string{markdown.Plain(row.Cells["metric"]), row.Cells["type"], strings.Join(labels, " ")})
	}
	byName := func(a, b [3]string) int { return strings.Compare(a[0], b[0]) }
	slices.SortFunc(gathered, byName)
	slices.SortFunc(documented, byName)
	if diff := cmp.Diff(gathered, documented); diff != "" {
		t.Errorf("%s (-gathered +documented):\n%s", page.File, diff)
	}
}

func kindOf(metric dto.MetricType) string { return strings.ToLower(metric.String()) }

// TestDocumentedWords compares the tables of the glossary with the closed sets of the code.
func TestDocumentedWords(t *testing.T) {
	page := readPage(t, "docs/glossary.md")
	for column, words := range map[string][]string{
		"class":   texts(difference.Classes()),
		"verdict": texts(words.Verdicts()),
		"effect":  texts(words.Effects()),
		"change":  texts(schemadiff.Effects()),
	} {
		at := slices.IndexFunc(page.Tables, func(table markdown.Table) bool { return table.Columns[0] == column })
		if at < 0 {
			t.Errorf("%s has no table of %q", page.File, column)
			continue
		}
		if diff := cmp.Diff(words, column1(page.Tables[at])); diff != "" {
			t.Errorf("%s:%d (-code +documented):\n%s", page.File, page.Tables[at].Line, diff)
		}
	}
}

func texts[Word ~string](words []Word) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = string(word)
	}
	return all
}

// column1 returns the words in the first column of a table; a cell may hold several.
func column1(table markdown.Table) []string {
	var words []string
	for _, row := range table.Rows {
		words = append(words, strings.Split(markdown.Plain(row.Cells[table.Columns[0]]), ", ")...)
	}
	return words
}

// TestDocumentedReport compares the tables of a run's JSON with its schema, and the table of formats with
// those that package reports writes.
func TestDocumentedReport(t *testing.T) {
	data, err := os.ReadFile("reports/run.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	type object struct{ Properties map[string]any }
	var run struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(data, &run); err != nil {
		t.Fatal(err)
	}
	formats := readPage(t, "docs/reference/report.md")
	if diff := cmp.Diff(reports.Formats(), column1(formats.Tables[0])); diff != "" {
		t.Errorf("%s (-formats +documented):\n%s", formats.File, diff)
	}
	page := readPage(t, "docs/reference/report-json.md")
	for _, table := range page.Tables {
		of := run.Defs[table.Heading]
		if table.Heading == "run" {
			of = run.object
		}
		var keys []string
		for key := range of.Properties {
			keys = append(keys, key)
		}
		documented := column1(table)
		slices.Sort(keys)
		slices.Sort(documented)
		if diff := cmp.Diff(keys, documented); diff != "" {
			t.Errorf("%s:%d (-schema +documented):\n%s", page.File, table.Line, diff)
		}
	}
}

// TestDocumentedLines compares the keys of JSON lines with those that the fault about an unknown key lists.
func TestDocumentedLines(t *testing.T) {
	files := fstest.MapFS{
		"suite.yaml":  {Data: []byte("name: a\nnative: {builtin: none}\ndeclarative: {builtin: none}\ncases: [lines.jsonl]\n")},
		"lines.jsonl": {Data: []byte(`{"` + unknownKey + `": 1}` + "\n")},
	}
	none := cases.Builtin{
		Natives:      noKinds{},
		Declaratives: func(schema.GroupVersionKind) (harness.Backend, error) { return nil, errors.New("none") },
	}
	plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: files}, Name: "suite.yaml"}},
		cases.Options{Now: time.Now(), Builtins: map[string]cases.Builtin{"none": none}})
	if err != nil {
		t.Fatal(err)
	}
	next, stop := iter.Pull2(plan.Suites[0].Jobs(cases.JobOptions{}))
	defer stop()
	job, err, _ := next()
	if err != nil || job.Case.Fault == nil {
		t.Fatalf("the line has no fault: %v", err)
	}
	found := regexp.MustCompile(`accepted keys are ([a-zA-Z, ]+)`).FindStringSubmatch(job.Case.Fault.Error())
	if found == nil {
		t.Fatalf("the fault lists no keys: %v", job.Case.Fault)
	}
	accepted := strings.Split(strings.ReplaceAll(found[1], " and ", ", "), ", ")
	page := readPage(t, "docs/reference/case-files.md")
	at := slices.IndexFunc(page.Tables, func(table markdown.Table) bool { return table.Heading == "JSON lines" })
	if diff := cmp.Diff(accepted, column1(page.Tables[at])); diff != "" {
		t.Errorf("%s (-accepted +documented):\n%s", page.File, diff)
	}
}

// noKinds is a builtin without kinds.
type noKinds struct{}

func (noKinds) Kinds() []schema.GroupKind { return nil }

func (noKinds) Target(schema.GroupKind) (*harness.Target, error) { return nil, errors.New("no kind") }
