package harness

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// For makes a Harness with the built-in rules and without exceptions. It fails t if the
// target is wrong.
func For(t testing.TB, target *Target) *Harness {
	t.Helper()
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(target, Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Test checks a case in every version of the target and fails t for each difference,
// unmet expectation and fault. It returns the native errors of the first version that can
// express the case, unchanged, so a table test keeps its assertions.
//
// Test logs each version that cannot express the case, and fails t if none can. It also
// logs fields that were pruned because the schema does not have them.
func (h *Harness) Test(t testing.TB, c Case) field.ErrorList {
	t.Helper()
	if c.ID == "" {
		c.ID = t.Name()
	}
	results, err := h.Check(t.Context(), c)
	if err != nil {
		t.Fatalf("the test ended before the comparison did: %v", err)
	}
	var first *Result
	for i := range results {
		result := &results[i]
		if result.Verdict == Inexpressible {
			t.Logf("%s cannot express this case: %s", TargetName(result.Version), result.Inexpressible)
			continue
		}
		if first == nil {
			first = result
			logPruned(t, result)
		}
		if text := complaint(result); text != "" {
			t.Errorf("%s: %s", TargetName(result.Version), text)
		}
	}
	if first == nil {
		t.Errorf("no version of %s can express this case: nothing was compared", h.target.Kind)
		return nil
	}
	return first.Native.Given
}

// logPruned says which fields of a case its schema does not have: nobody looked at
// them, and they may be misspelt.
func logPruned(t testing.TB, r *Result) {
	t.Helper()
	for _, omission := range r.Omitted {
		if omission.Why == Pruned {
			t.Logf("%s has no field %s: it was pruned before validation", TargetName(r.Version), omission.Field)
		}
	}
}

// complaint is what is wrong with a result, one line each; empty: nothing.
func complaint(r *Result) string {
	var lines []string
	for _, fault := range []struct {
		of    string
		fault *Fault
	}{{"the case", r.Fault}, {"the native backend", r.Native.Fault}, {"the declarative backend", r.Declarative.Fault}} {
		if fault.fault != nil {
			lines = append(lines, "fault of "+fault.of+": "+fault.fault.Error())
		}
	}
	for _, pair := range r.Pairs {
		if !pair.Explained() {
			lines = append(lines, describe(pair))
		}
	}
	if next := nextStep(r.Verdict); next != "" {
		lines = append(lines, "what to do: "+next)
	}
	return strings.Join(append(lines, r.Unmet...), "\n\t")
}

// nextStep says what is to be done about the differences of a verdict.
func nextStep(of Verdict) string {
	switch of {
	case Different:
		return "mend the validator or the schema. Where both mean the same, give harness.New a rule (Options.Rules, equivalence.LoadRules); where the difference is accepted for now, a reviewed exception (Options.Exceptions, equivalence.LoadExceptions)"
	case Unstable:
		return "a validator that answers otherwise when it is asked again ranges over a map or keeps state; mend that first"
	}
	return ""
}

// describe shows both sides of a difference, one under the other.
func describe(pair equivalence.Pair) string {
	heading := string(pair.Class)
	if often := pair.Frequency(); often != "" {
		heading += ", " + often
	}
	return fmt.Sprintf("%s\n\t\tnative:      %s\n\t\tdeclarative: %s", heading, errorText(pair.Native), errorText(pair.Declarative))
}

func errorText(err *field.Error) string {
	if err == nil {
		return "no such error"
	}
	return err.Error()
}
