package harness_test

import (
	"testing"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Pruned fields count once per case, regardless of the number of compared versions; a field that a request
// may not set is not a misspelt field.
func TestSummaryOfPrunedFields(t *testing.T) {
	var summary harness.Summary
	for _, c := range []struct {
		versions int
		omitted  []contract.Omission
	}{
		{2, []contract.Omission{
			{Field: "colour", Why: words.Pruned},
			{Field: "status", Why: words.Ignored},
			{Field: "spec.x", Why: words.Pruned},
		}},
		{1, []contract.Omission{{Field: "status", Why: words.Ignored}}},
		{2, nil},
		{3, []contract.Omission{{Field: "colour", Why: words.Pruned}}},
	} {
		of := &harness.Case{}
		for range c.versions {
			summary.Add(harness.Result{Case: of, Verdict: words.Equal, Omitted: c.omitted})
		}
	}
	if summary.PrunedFields != 3 || summary.PrunedCases != 2 {
		t.Errorf("got %d fields of %d cases, want 3 of 2", summary.PrunedFields, summary.PrunedCases)
	}
}
