package tally_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/findings/tally"
)

func TestRefusals(t *testing.T) {
	refused := func(fields ...string) harness.Result {
		var errs field.ErrorList
		for _, name := range fields {
			errs = append(errs, field.Required(field.NewPath(name), ""))
		}
		return harness.Result{
			Verdict:     words.Equal,
			Unguarded:   true,
			Native:      harness.Outcome{Errors: errs},
			Declarative: harness.Outcome{Errors: errs},
		}
	}
	unchecked := refused("a")
	unchecked.Native.Errors = append(unchecked.Native.Errors, fielderror.RulesNotChecked())
	for _, tt := range []struct {
		why     string
		results []harness.Result
		most    string
		all     bool
	}{
		{"no input", nil, "", false},
		{"the error of most inputs, not of most sides", []harness.Result{refused("a"), refused("b"), refused("b", "c")},
			"b: Required value", true},
		{"of several, the first", []harness.Result{refused("z", "y")}, "y: Required value", true},
		{"what follows from other errors is no reason", []harness.Result{unchecked, unchecked, refused("b")}, "a: Required value", true},
		{"a guard decided about one", []harness.Result{refused("a"), {Verdict: words.Equal}}, "a: Required value", false},
		{"a fault was not decided", []harness.Result{refused("a"), {Verdict: words.Faulted}}, "a: Required value", true},
	} {
		var counted tally.Refusals
		for _, result := range tt.results {
			counted.Add(result)
		}
		if got := counted.MostFrequent(); got != tt.most || counted.All() != tt.all {
			t.Errorf("%s: %q, all %v; want %q, %v", tt.why, got, counted.All(), tt.most, tt.all)
		}
	}
}
