package harness

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// For returns a Harness with the built-in rules and without exceptions; options add to them. It
// fails t if the target or an option is wrong.
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
	rules, err := builtin.With(settings.rules...)
	if err != nil {
		t.Fatal(plaintext.Error(err))
	}
	ledger := equivalence.NewLedger(rules, settings.exceptions)
	h, err := New(target, Options{Rules: rules, Exceptions: settings.exceptions, Ledger: ledger, Stored: true})
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
	if failed(t, h.target.deletes(&c)) {
		return nil
	}
	results, err := h.Check(t.Context(), c.namedFor(t))
	return h.report(t, results, err)
}

// failed fails t for the first of some faults, and reports whether there is one.
func failed(t testing.TB, faults ...*contract.Fault) bool {
	t.Helper()
	for _, fault := range faults {
		if fault != nil {
			t.Errorf("fault of the case\n\t\t%s", plaintext.Error(fault))
			return true
		}
	}
	return false
}

// namedFor sets a missing id to the name of the test.
func (c Case) namedFor(t testing.TB) Case {
	if c.ID == "" {
		c.ID = t.Name()
	}
	return c
}

// report fails t for what is wrong with results, and returns the native errors of the first version
// that can express the case.
func (h *Harness) report(t testing.TB, results []Result, err error) field.ErrorList {
	t.Helper()
	if err != nil {
		t.Fatalf("the test ended before the comparison did: %v", err)
	}
	var first *Result
	var complaints []complaint
	for i := range results {
		result := &results[i]
		for _, sink := range h.sinks {
			sink(*result)
		}
		if result.Verdict == words.Inexpressible {
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
		logTestOnly(t, result)
		complaints = addComplaint(complaints, result)
	}
	for _, c := range complaints {
		t.Errorf("%s", c)
	}
	h.advise(t, results)
	if first == nil {
		t.Errorf("no version of %s can express this case: nothing was compared", plaintext.Line(h.target.Kind.String()))
		return nil
	}
	return first.Native.Given
}

// nameOf returns the target of a result for messages.
func nameOf(r *Result) string { return plaintext.Line(apiname.Target(r.Version)) }

// logPruned logs the fields of a case that its schema does not have: they were not validated, and
// may be misspelt.
func logPruned(t testing.TB, r *Result) {
	t.Helper()
	var pruned []string
	for _, omission := range r.Omitted {
		if omission.Why == words.Pruned {
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

// logTestOnly logs the differences that only the call of the test has.
func logTestOnly(t testing.TB, r *Result) {
	t.Helper()
	shown, more := plaintext.First(r.TestOnly)
	for _, pair := range shown {
		t.Logf("%s: only this call differs, a request with this object does not: %s", nameOf(r), describe(r.Sides, pair))
	}
	for _, line := range rest(more, "differences of this call") {
		t.Logf("%s", line)
	}
}

// logWarnings logs the warnings of the backends.
func logWarnings(t testing.TB, r *Result) {
	t.Helper()
	for name, outcome := range r.Outcomes() {
		shown, more := plaintext.First(outcome.Warnings)
		for _, warning := range shown {
			t.Logf("%s: warning of the %s backend: %s", nameOf(r), name, plaintext.Line(warning))
		}
		for _, line := range rest(more, "warnings of the "+name+" backend") {
			t.Logf("%s", line)
		}
	}
}
