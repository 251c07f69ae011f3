package cases_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cases"
)

// TestTypeChecking: a suite with policies reports the warnings that a real API server wrote into
// status.typeChecking of the same policies. The test of this name in e2e records them.
func TestTypeChecking(t *testing.T) {
	const dir = "e2e/testdata/typechecking"
	root := os.DirFS("..")
	plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: root}, Name: dir + "/suite.yaml"}}, options())
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := os.ReadFile("../" + dir + "/warnings.golden")
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	for _, warning := range plan.Warnings {
		if strings.Contains(warning.Message, " may be missing: the schema of ") {
			continue // the API server does not check this; a test of package policies does
		}
		said, _, found := strings.Cut(warning.Message, "; the API server only reports this in status.typeChecking")
		if !found {
			t.Errorf("another warning: %v", warning)
		}
		warnings = append(warnings, said)
	}
	slices.Sort(warnings)
	if diff := cmp.Diff(string(recorded), strings.Join(warnings, "\n")+"\n"); diff != "" {
		t.Errorf("-API server +diffrun:\n%s", diff)
	}
}
