package harness

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/plaintext"
)

// For makes a Harness with the built-in rules and without exceptions; options add to them.
// It fails t if the target or an option is wrong.
func For(t testing.TB, target *Target, options ...ForOption) *Harness {
	t.Helper()
	settings := forSettings{now: time.Now()}
	for _, option := range options {
		if err := option(&settings); err != nil {
			t.Fatal(plaintext.Error(err))
		}
	}
	builtin, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := equivalence.JoinRules(append([]*equivalence.RuleSet{builtin}, settings.rules...)...)
	if err != nil {
		t.Fatal(plaintext.Error(err))
	}
	ledger := equivalence.NewLedger(rules, settings.exceptions)
	h, err := New(target, Options{Rules: rules, Exceptions: settings.exceptions, Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	if settings.exceptions != nil {
		watchExceptions(t, settings.exceptions, ledger, settings.now)
	}
	h.sinks = settings.sinks
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
	results, err := h.Check(t.Context(), c.namedFor(t))
	return h.report(t, results, err)
}

// namedFor gives a case without an id the name of the test.
func (c Case) namedFor(t testing.TB) Case {
	if c.ID == "" {
		c.ID = t.Name()
	}
	return c
}

// report fails t for what is wrong with results, and gives the native errors of the first
// version that can express the case.
func (h *Harness) report(t testing.TB, results []Result, err error) field.ErrorList {
	t.Helper()
	if err != nil {
		t.Fatalf("the test ended before the comparison did: %v", err)
	}
	var first *Result
	for i := range results {
		result := &results[i]
		for _, sink := range h.sinks {
			sink(*result)
		}
		if result.Verdict == Inexpressible {
			t.Logf("%s cannot express this case: %s", nameOf(result), plaintext.Line(result.Inexpressible))
			for _, message := range result.Unmet {
				t.Errorf("%s: %s", nameOf(result), plaintext.Line(message))
			}
			continue
		}
		if first == nil {
			first = result
			logPruned(t, result)
			logWarnings(t, result)
		}
		if text := complaint(result); text != "" {
			t.Errorf("%s: %s", nameOf(result), text)
		}
	}
	if first == nil {
		t.Errorf("no version of %s can express this case: nothing was compared", plaintext.Line(h.target.Kind.String()))
		return nil
	}
	return first.Native.Given
}

// nameOf is what a test calls the target of a result.
func nameOf(r *Result) string { return plaintext.Line(TargetName(r.Version)) }

// logPruned says which fields of a case its schema does not have: nobody looked at
// them, and they may be misspelt.
func logPruned(t testing.TB, r *Result) {
	t.Helper()
	var pruned []string
	for _, omission := range r.Omitted {
		if omission.Why == Pruned {
			pruned = append(pruned, omission.Field)
		}
	}
	shown, more := plaintext.First(pruned)
	for _, field := range shown {
		t.Logf("%s has no field %s: it was pruned before validation", nameOf(r), plaintext.Line(field))
	}
	for _, line := range rest(more, "fields that were pruned") {
		t.Logf("%s", line)
	}
}

// logWarnings shows what the backends say to the user besides errors.
func logWarnings(t testing.TB, r *Result) {
	t.Helper()
	for _, side := range []struct {
		name     string
		warnings []string
	}{{"native", r.Native.Warnings}, {"declarative", r.Declarative.Warnings}} {
		shown, more := plaintext.First(side.warnings)
		for _, warning := range shown {
			t.Logf("%s: warning of the %s backend: %s", nameOf(r), side.name, plaintext.Line(warning))
		}
		for _, line := range rest(more, "warnings of the "+side.name+" backend") {
			t.Logf("%s", line)
		}
	}
}

// complaint is what is wrong with a result, one line each; empty: nothing. It is plain
// text, as package plaintext has it: go test takes what begins a line for its own.
func complaint(r *Result) string {
	var lines []string
	for _, fault := range []struct {
		of    string
		fault *Fault
	}{{"the case", r.Fault}, {"the native backend", r.Native.Fault}, {"the declarative backend", r.Declarative.Fault}} {
		if fault.fault != nil {
			said := plaintext.Lines(fault.fault.Error())
			lines = append(lines, "fault of "+fault.of+": "+strings.Join(said, "\n\t"+plaintext.Gutter))
		}
	}
	var differences []equivalence.Pair
	for _, pair := range r.Pairs {
		if !pair.Explained() {
			differences = append(differences, pair)
		}
	}
	shown, more := plaintext.First(differences)
	for _, pair := range shown {
		lines = append(lines, describe(pair))
	}
	lines = append(lines, rest(more, "differences")...)
	if next := nextStep(r.Verdict); next != "" {
		lines = append(lines, "what to do: "+next)
	}
	unmet, more := plaintext.First(r.Unmet)
	for _, message := range unmet {
		lines = append(lines, plaintext.Line(message))
	}
	return strings.Join(append(lines, rest(more, "unmet expectations")...), "\n\t")
}

// rest is the line that ends a list of which something is left out, if there is one.
func rest(more int, of string) []string {
	if more == 0 {
		return nil
	}
	return []string{plaintext.More(more) + " " + of}
}

// nextStep says what is to be done about the differences of a verdict.
func nextStep(of Verdict) string {
	switch of {
	case Different:
		return "mend the validator or the schema. Where both mean the same, give harness.For a rule (harness.WithRules); where the difference is accepted for now, a reviewed exception (harness.WithExceptions)"
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
	return plaintext.Error(err)
}
