package reports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
)

// htmlCase has the fields of the page's data that the tests read.
type htmlCase struct {
	ID     string
	Object []struct {
		At    int
		Lines []string
	}
	NoObject string
	Results  []struct {
		Verdict string
		More    int
		Pairs   []struct {
			Is    string
			Lines []int
		}
	}
}

// htmlPage returns the page of a run and the cases in it.
func htmlPage(t *testing.T, run recording) (string, []htmlCase) {
	t.Helper()
	var page bytes.Buffer
	reporter, err := reports.New("html", &page, reports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run.play(t, reporter)
	data := regexp.MustCompile(`(?s)id="cases">(.*?)</script>`).FindSubmatch(page.Bytes())
	if data == nil {
		t.Fatal("the page has no cases")
	}
	var cases []htmlCase
	if err := json.Unmarshal(data[1], &cases); err != nil {
		t.Fatal(err)
	}
	return page.String(), cases
}

// differs is a result with a difference at a field.
func differs(object any, at string) harness.Result {
	return paired(&harness.Case{ID: "a case", Object: object}, deployment, words.Different,
		equivalence.Pair{Native: invalid(at, 1, "must be 2"), Class: difference.TooLoose})
}

func TestHTMLObjects(t *testing.T) {
	items := []any{}
	for i := range 2_000 {
		items = append(items, map[string]any{"name": fmt.Sprintf("item-%d", i)})
	}
	type typed struct {
		Spec struct {
			Size int `json:"size"`
		} `json:"spec"`
	}
	for _, row := range []struct {
		why    string
		object any
		field  string
		marked string // the marked line
		says   string // why there is no object
	}{
		{"a field of a list", deploymentObject(1), "spec.template.spec.containers[1].name", "        name: b", ""},
		{"a key with dots", deploymentObject(1), "metadata.labels[example.com/app]", "    example.com/app: web", ""},
		{"a missing field is marked in its place", deploymentObject(1), "spec.selector.matchLabels", "spec:", ""},
		{"a Go struct with JSON names", &typed{}, "spec.size", "  size: 0", ""},
		{"a long object is cut around the field", map[string]any{"spec": map[string]any{"items": items}},
			"spec.items[1234].name", "  - name: item-1234", ""},
		{"a Go value that has no JSON", panicking{}, "spec", "", "a Go value that JSON cannot hold"},
		{"a large object", map[string]any{"spec": strings.Repeat("x", 2<<20)}, "spec", "", "too large"},
		{"a recorded run", nil, "spec", "", "recorded run"},
	} {
		_, cases := htmlPage(t, recording{results: []harness.Result{differs(row.object, row.field)}})
		lines, count := map[int]string{}, 0
		for _, chunk := range cases[0].Object {
			for i, line := range chunk.Lines {
				lines[chunk.At+i] = line
				count++
			}
		}
		marked := ""
		for _, line := range cases[0].Results[0].Pairs[0].Lines {
			marked += lines[line]
		}
		if marked != row.marked || !strings.Contains(cases[0].NoObject, row.says) || (cases[0].NoObject == "") != (row.says == "") ||
			count > 250 {
			t.Errorf("%s: marks %q, wanted %q; %d lines; says %q", row.why, marked, row.marked, count, cases[0].NoObject)
		}
	}
}

// The page has some objects of each cause, and none of equal results.
func TestHTMLObjectsAreFew(t *testing.T) {
	var run recording
	for i := range 500 {
		result := differs(widget(i), []string{"spec.size", "spec.shape", "spec.color"}[i%3])
		if i%5 == 0 {
			result = paired(&harness.Case{ID: "equal", Object: widget(i)}, deployment, words.Equal)
		}
		run.results = append(run.results, result)
	}
	_, cases := htmlPage(t, run)
	held := 0
	for _, one := range cases {
		if len(one.Object) > 0 {
			held++
		}
		if one.ID == "equal" && (len(one.Object) > 0 || one.NoObject != "") {
			t.Errorf("an equal case has an object: %+v", one)
		}
	}
	if held != 60 {
		t.Errorf("%d objects, wanted 20 of each of 3 causes", held)
	}
}

func TestHTMLHoldsSoManyResults(t *testing.T) {
	const most, more = 100_000, 50
	run := recording{}
	equal := paired(&harness.Case{ID: "equal"}, deployment, words.Equal)
	for range most + more {
		of := *equal.Case
		equal.Case = &of
		run.results = append(run.results, equal)
	}
	run.results = append(run.results, differs(widget(1), "spec.size"))
	page, cases := htmlPage(t, run.summed())
	if len(cases) != most+1 || cases[most].ID != "a case" {
		t.Errorf("the page holds %d results, wanted the first %d and the first of the one cause", len(cases), most)
	}
	if !strings.Contains(page, "50 results left out: the page holds the first 100,000") {
		t.Error("the page does not say that it leaves results out")
	}
}

// Both distributions have figures and bars of the measured times.
func TestHTMLTimes(t *testing.T) {
	var run recording
	for i := range 100 {
		result := paired(&harness.Case{ID: "a case"}, deployment, words.Equal)
		result.Native.Elapsed, result.Declarative.Elapsed = 10*time.Microsecond, time.Millisecond
		if i >= 95 {
			result.Declarative.Elapsed = 3 * time.Second
		}
		run.results = append(run.results, result)
	}
	faulted := paired(&harness.Case{ID: "a case"}, deployment, words.Faulted)
	faulted.Native.Fault, faulted.Declarative.Elapsed = &contract.Fault{Reason: words.FaultTimeout, Err: fmt.Errorf("late")}, time.Hour
	run.results = append(run.results, faulted)
	page, _ := htmlPage(t, run)
	var figures []string
	for _, found := range regexp.MustCompile(`<td class="number">([^<]+)</td>`).FindAllStringSubmatch(
		page[strings.Index(page, `id="timing-title"`):], -1) {
		figures = append(figures, found[1])
	}
	if want := []string{"10µs", "10µs", "10µs", "10µs", "1ms", "1ms", "3s", "3s"}; !slices.Equal(figures, want) {
		t.Errorf("figures %q, wanted %q", figures, want)
	}
	for _, bar := range []string{
		`height="90" class="native"><title>native: 100 inputs from 10µs to 15µs`,
		`height="85.5" class="declarative"><title>declarative: 95 inputs from 1ms to 1.5ms`,
		`height="4.5" class="declarative"><title>declarative: 5 inputs from 2.2s to 3.2s`,
	} {
		if !strings.Contains(page, bar) {
			t.Errorf("there is no bar %q", bar)
		}
	}
}

// A page made from a recorded run also has the errors on which both sides agree.
func TestHTMLOfARecordedRun(t *testing.T) {
	same := field.Required(field.NewPath("spec", "selector"), "")
	live := recording{results: []harness.Result{paired(&harness.Case{ID: "a case", Object: widget(1)}, deployment, words.Different,
		equivalence.Pair{Native: same, Declarative: same},
		equivalence.Pair{Native: invalid("spec.size", 1, "must be 2"), Class: difference.TooLoose})}}
	var lines, page bytes.Buffer
	recorder, _ := reports.New("jsonl", &lines, reports.Options{})
	live.play(t, recorder)
	reporter, _ := reports.New("html", &page, reports.Options{})
	if err := reports.Play(&lines, reporter); err != nil {
		t.Fatal(err)
	}
	for _, has := range []string{`"is":"too-loose"`, `"is":"equal"`, `"noObject":"the page was made of a recorded run`} {
		if !strings.Contains(page.String(), has) {
			t.Errorf("the page lacks %s", has)
		}
	}
}
