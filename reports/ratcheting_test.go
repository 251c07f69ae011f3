package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/reports"
)

// A run that fails because of ratcheting is marked as failed in every format for people and CI systems.
func TestRatchetingIsMarkedIfItFails(t *testing.T) {
	stays := equivalence.Pair{Native: invalid("spec.replicas", int64(-1), "must be greater than or equal to 0"),
		Class: difference.Ratcheting}
	accepted := equivalence.Pair{Native: invalid("spec.a", 0, "x"), Class: difference.TooLoose, Exception: &equivalence.Exception{ID: "a"}}
	stored := document("stored", deploymentObject(-1))
	alone := recording{results: []harness.Result{paired(stored, deployment, words.Ratcheting, stays)}}.summed()
	excepted := recording{results: []harness.Result{paired(stored, deployment, words.Excepted, stays, accepted)}}.summed()
	const total, needing = `class="total bad" data-filter="verdict" data-value="ratcheting"`, `"needing":["ratcheting"`
	for _, row := range []struct {
		why, format string
		run         recording
		marks       []string
	}{
		{"a person reads the case and the table", "text", alone, []string{
			"✗ cases/kubernetes/apps/deployment.yaml#stored",
			"✗ apps/v1 Deployment",
		}},
		{"an exception accepts a different error of the result", "text", excepted,
			[]string{"✗ cases/kubernetes/apps/deployment.yaml#stored", "✗ apps/v1 Deployment"}},
		{"a pull request shows the first line", "markdown", alone, []string{"## ✗ diffrun: failed", "| ✗ | `apps/v1 Deployment` |"}},
		{"so it does beside an exception", "markdown", excepted, []string{"## ✗ diffrun: failed", "| ✗ | `apps/v1 Deployment` |"}},
		{"a page opens with what needs attention", "html", alone, []string{`"what":"ratcheting"`, total, needing}},
		{"a page has the cause beside an exception", "html", excepted, []string{`"what":"ratcheting"`}},
		{"a CI system counts failures", "junit", alone, []string{"<failure"}},
		{"a code host lists findings", "sarif", alone, []string{`"ruleId": "ratcheting"`}},
		{"a log is annotated", "github", alone, []string{"::error"}},
	} {
		t.Run(row.format+": "+row.why, func(t *testing.T) {
			for _, fails := range []bool{true, false} {
				var out bytes.Buffer
				reporter, err := reports.New(row.format, &out, reports.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if row.run.header.FailOn = nil; fails {
					row.run.header.FailOn = gate.Gate{string(difference.Ratcheting)}
				}
				row.run.play(t, reporter)
				for _, mark := range row.marks {
					if shown := strings.Contains(out.String(), mark); shown != fails {
						t.Errorf("ratcheting fails the run: %t, but %q is shown: %t, in\n%.3000s", fails, mark, shown, &out)
					}
				}
			}
		})
	}
}
