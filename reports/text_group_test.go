package reports_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// manyAlike are 300 cases: all have the same two differences at different items, every hundredth has a new
// one, and the last is a fault.
func manyAlike() recording {
	run := recording{header: reports.Header{Suites: []record.Suite{{Name: "generated"}}}}
	for i := range 300 {
		c := &harness.Case{ID: fmt.Sprintf("g%03d", i), Source: fmt.Sprintf("generated.jsonl:%d", i+1), Object: map[string]any{}}
		at := field.NewPath("spec", "addresses").Index(i)
		pairs := []equivalence.Pair{
			{Native: invalid(at.String(), fmt.Sprint("value", i), "invalid address"), Class: difference.TooLoose},
			{Declarative: invalid(at.Child("value").String(), "", fmt.Sprintf(`"spec.addresses[%d]" must validate at least one schema`, i)),
				Class: difference.TooStrict},
		}
		if i%100 == 99 {
			pairs = append(pairs, equivalence.Pair{
				Native: invalid("spec.name", "x", "another rule "+string(rune('a'+i/100))),
				Class:  difference.TooLoose,
			})
		}
		run.results = append(run.results, paired(c, route, words.Different, pairs...))
	}
	run.results[150].Verdict = words.Faulted
	run.results[150].Pairs = nil
	run.results[150].Native = harness.Outcome{
		Fault: &contract.Fault{Reason: words.FaultError, Err: errors.New("it ended without an answer (signal: killed)")},
	}
	return run.summed()
}

func drawnRun(t *testing.T, run recording, options reports.Options) string {
	t.Helper()
	var out bytes.Buffer
	reporter, err := reports.New("text", &out, options)
	if err != nil {
		t.Fatal(err)
	}
	run.play(t, reporter)
	return out.String()
}

// A difference of hundreds of cases is shown a few times and counted; new ones remain visible.
func TestTextOfManyDifferences(t *testing.T) {
	text := drawnRun(t, manyAlike(), reports.Options{})
	for _, want := range []string{
		"✗ g000\n", "✗ g039\n", // the first ones, complete
		"another rule a", "another rule b", "another rule c",
		"✗ g150\n", "fault of the native backend  it ended without an answer (signal: killed)",
		"and 2 more like those above",
		"299× in 299 cases  too-loose  HTTPRoute  spec.addresses[*], first in g000",
		"299× in 299 cases  too-strict  HTTPRoute  spec.addresses[*].value, first in g000",
		"256 cases without new findings; --verbose shows everything",
		"299 different (302 too-loose, 299",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(text, "✗ g200\n") {
		t.Error("a case that shows nothing new is shown")
	}
	if lines := strings.Count(text, "\n"); lines > 500 {
		t.Errorf("%d lines about 300 cases that are nearly all alike", lines)
	}
}

func TestVerboseTextOfManyDifferences(t *testing.T) {
	text := drawnRun(t, manyAlike(), reports.Options{Verbose: true})
	if blocks := strings.Count(text, "✗ g"); blocks != 300+1 { // and the table's row
		t.Errorf("%d of 300 cases are shown", blocks-1)
	}
	if strings.Contains(text, "found most often") {
		t.Error("a list of what is shown anyway")
	}
}

// A result with the same difference at each of a hundred items shows three of them.
func TestTextOfOneCaseWithManyDifferences(t *testing.T) {
	c := &harness.Case{ID: "many", Object: map[string]any{}}
	var pairs []equivalence.Pair
	for i := range 100 {
		pairs = append(pairs, equivalence.Pair{
			Native: invalid(fmt.Sprintf("spec.addresses[%d]", i), i, "invalid address"),
			Class:  difference.TooLoose,
		})
	}
	text := drawnRun(t, recording{results: []harness.Result{paired(c, route, words.Different, pairs...)}}.summed(), reports.Options{})
	for _, want := range []string{"spec.addresses[0]", "spec.addresses[2]", "and 97 more like those above", "100× in 1 case  too-loose"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "spec.addresses[3]") {
		t.Error("more than three that are alike are shown")
	}
}

// The same difference in three versions of a case is new in all of them, or in none.
func TestTextOfVersionsAlike(t *testing.T) {
	run := recording{}
	for i := range 60 {
		c := &harness.Case{ID: fmt.Sprintf("c%02d", i), Object: map[string]any{}}
		loose := equivalence.Pair{Native: invalid("spec.replicas", -1, fmt.Sprint("rule ", string(rune('a'+i)))),
			Class: difference.TooLoose}
		run.results = append(run.results, paired(c, deployment, words.Different, loose),
			paired(c, deploymentBeta1, words.Different, loose), paired(c, deploymentBeta2, words.Different, loose))
	}
	text := drawnRun(t, run.summed(), reports.Options{})
	if shared := strings.Count(text, "apps/v1 Deployment, apps/v1beta1 Deployment, apps/v1beta2 Deployment  CREATE"); shared != 60 {
		t.Errorf("%d of 60 cases are shown in all of their versions", shared)
	}
}

// The report says what the schema did not check, and what was compared only by verdict.
func TestTextOfWhatWasNotCompared(t *testing.T) {
	of := func(kind string) *equivalence.Rule {
		return &equivalence.Rule{Name: string(kind), Kind: kind}
	}
	run := recording{results: []harness.Result{
		paired(document("no shape", nil), route, words.Different,
			equivalence.Pair{Declarative: field.Required(field.NewPath("spec"), ""), Class: difference.TooStrict},
			equivalence.Pair{Declarative: invalid("<nil>", nil, "not checked"), Rule: of("unchecked")},
			equivalence.Pair{Native: invalid("spec.a", 1, "odd"), Rule: of("unchecked")},
			equivalence.Pair{Native: invalid("spec.b", 1, "odd"), Rule: of("unchecked")}),
		paired(document("only no", nil), route, words.Equivalent,
			equivalence.Pair{Native: invalid("", nil, ""), Declarative: invalid("spec.a", 1, "odd"), Rule: of("verdict")},
			equivalence.Pair{Native: invalid("", nil, ""), Declarative: invalid("spec.b", 1, "odd"), Rule: of("verdict")}),
	}}
	text := drawnRun(t, run.summed(), reports.Options{})
	for _, want := range []string{
		"not compared: 2 native errors; the schema did not check its rules on this object",
		"1 equivalent (1 by the verdict alone, because the validator gives no reason)",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "\n", " "), want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}
