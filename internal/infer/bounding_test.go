package infer

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// TestTooDear: a rule about bytes costs too much in a list without a bound, even with maxLength. So maxLength alone is left.
// It says nothing about a text of 40 characters and 80 bytes: the report has it, and the definition has not.
func TestTooDear(t *testing.T) {
	t.Parallel()
	report := run(t, definition("names: {type: array, items: {type: string}}", "names"), func(s, _ spec) (errs field.ErrorList) {
		for n, item := range s.list("names") {
			if name, _ := item.(string); len(name) > 63 {
				errs = append(errs, field.Invalid(at.Child("names").Index(n), name, "must be no more than 63 bytes"))
			}
		}
		return errs
	}, spec{"names": []any{"a"}})
	var rules []string
	for _, r := range report.Unproven {
		rules = append(rules, r.String())
	}
	if got := strings.Join(rules, "\n"); got != "spec.names[*]: maxLength: 63" || len(report.Rules) > 0 {
		t.Errorf("rules:\n%s", got)
	}
	if s := report.Sites[0]; s.Status != proposal.InPart || !strings.Contains(report.Text(), "the rules do not report") {
		t.Errorf("%s, not in part:\n%s", s.Status, report.Text())
	}
}
