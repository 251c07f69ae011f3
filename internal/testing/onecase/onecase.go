// Package onecase compares one case in tests. Only tests import it.
package onecase

import (
	"testing"

	"github.com/diffrun/diffrun/harness"
)

// Results returns the result of a case in each version of a target, with the default options.
func Results(t testing.TB, target *harness.Target, of harness.Case) []harness.Result {
	t.Helper()
	h, err := harness.New(target, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	return results
}
