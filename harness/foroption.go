package harness

import (
	"fmt"
	"testing"
	"time"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// ForOption changes how the Harness of For compares, or what it does with results.
type ForOption func(*forSettings) error

// forSettings are set by the options of For.
type forSettings struct {
	rules      []*equivalence.RuleSet
	exceptions *equivalence.Exceptions
	now        time.Time
	sinks      []func(Result)
}

// WithRules adds the rules of files to the built-in ones. Paths are relative to the directory of
// the package under test.
func WithRules(files ...string) ForOption {
	return func(settings *forSettings) error {
		for _, file := range files {
			data, err := infile.ReadFile(file)
			if err != nil {
				return fmt.Errorf("%s cannot be read: %w; expected a file with a list of rules", file, infile.Cause(err))
			}
			rules, err := equivalence.LoadRules(file, data)
			if err != nil {
				return err
			}
			settings.rules = append(settings.rules, rules)
		}
		return nil
	}
}

// WithExceptions accepts the differences that a file of exceptions lists. At the end of the
// test, an exception that has expired, or that accepted more differences than its maxHits,
// fails the test, and one that expires within 14 days is logged. Exceptions that the test did
// not use are left alone: other tests may share the file. "diffrun exceptions prune" finds
// those that no test uses.
func WithExceptions(file string) ForOption {
	return func(settings *forSettings) error {
		data, err := infile.ReadFile(file)
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w; expected a file of exceptions", file, infile.Cause(err))
		}
		if settings.exceptions != nil {
			return fmt.Errorf("%s: a second file of exceptions; use one, so that no two entries accept the same difference", file)
		}
		settings.exceptions, err = equivalence.LoadExceptions(file, data, settings.now)
		return err
	}
}

// WithSink passes each result of Test to a function, before Test fails the test.
// Tests that run in parallel call it at the same time.
func WithSink(sink func(Result)) ForOption {
	return func(settings *forSettings) error {
		settings.sinks = append(settings.sinks, sink)
		return nil
	}
}

// lapseDays is the number of days left below which an exception is logged.
const lapseDays = 14

// watchExceptions logs exceptions that expire soon, and reports wrong ones at the end of t.
func watchExceptions(t testing.TB, exceptions *equivalence.Exceptions, ledger *equivalence.Ledger, now time.Time) {
	for _, exception := range exceptions.All() {
		if left := exception.DaysLeft(now); !exception.Expired && left < lapseDays {
			t.Logf("%s", plaintext.Sprintf("%s: exception %q expires in %d days; %s must renew it (%s) or remove it",
				exception.Position, exception.ID, left, exception.Owner, exception.Issue))
		}
	}
	t.Cleanup(func() {
		for _, usage := range ledger.Usages() {
			if problem := usage.Problem(); problem != "" && usage.Exception != "" && !usage.Unused() {
				t.Errorf("%s", plaintext.Line(problem))
			}
		}
	})
}
