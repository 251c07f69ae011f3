package coverage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/coverage"
)

// TestGuards: the bindings of a policy share its expressions; both sides are counted; a policy that only
// watches is covered once it was asked.
func TestGuards(t *testing.T) {
	parts := []contract.Part{
		{Name: "matchConditions[0]", Where: "p.yaml:9", Text: "object.a"},
		{Name: "validations[0]", Where: "p.yaml:12", Text: "object.b"},
		{Name: "validations[1]", Where: "p.yaml:13", Text: "object.c"},
	}
	policy := func(binding string) string { return `ValidatingAdmissionPolicy "p" with binding "` + binding + `"` }
	watching := contract.Guard{Name: "watching", Where: "w.yaml:1", Purpose: words.ToWatch}
	declarative := []contract.Guard{
		{Name: policy("a"), Where: "p.yaml:3", Parts: parts},
		{Name: policy("b"), Where: "p.yaml:3", Parts: parts},
		watching,
	}
	native := []contract.Guard{{Name: "then", Where: "suite.yaml:4", Purpose: words.ToRefuse}}
	var r coverage.Recorder
	r.Guards("s", native, declarative)
	r.Guards("s[gates]", nil, nil)
	evaluated := func(binding string, acted ...string) contract.Asked {
		asked := contract.Asked{Guard: policy(binding), Acted: len(acted) > 0}
		for _, part := range parts {
			asked.Parts = append(asked.Parts,
				contract.Asked{Guard: part.Name, Acted: strings.Contains(strings.Join(acted, " "), part.Name)})
		}
		return asked
	}
	for _, declared := range [][]contract.Asked{
		{evaluated("a"), evaluated("b", "validations[0]"), {Guard: "watching"}},
		{{Guard: policy("a"), Excluded: true, Parts: []contract.Asked{{Guard: "matchConditions[0]", Acted: true}}}},
	} {
		r.Add("s", &harness.Result{
			Version:     schema.GroupVersionKind{Version: "v1", Kind: "Pod"},
			Verdict:     words.Equal,
			Case:        &harness.Case{},
			Declarative: harness.Outcome{Asked: declared},
		})
	}
	var text strings.Builder
	if err := r.Report().Text(&text, coverage.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	const want = `s: v1 Pod, 2 inputs

s: webhooks and policies, 2 inputs
  guards: 4 of 7 covered
    validation, never refused anything: 1
      ValidatingAdmissionPolicy "p" validations[1] object.c, p.yaml:13
    guard, never refused or changed anything: 2
      then (in native side) (never reached), suite.yaml:4
      ValidatingAdmissionPolicy "p" with binding "a", p.yaml:3
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
