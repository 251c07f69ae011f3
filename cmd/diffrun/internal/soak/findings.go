package soak

import (
	"errors"

	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// recordFinding counts what became of a new finding, and prints findings that are new or lost. It warns
// of a bucket that fails at the start. Later it warns of differences that could not be written, three
// times, and then at most once a minute.
func (r *runner) recordFinding(found soak.Found, fate counters.Fate, err error) {
	r.counters.Finding(fate)
	switch {
	case fate == counters.Written:
		r.printFinding("new", found, found.Path)
	case fate == counters.Dropped && !errors.Is(err, soak.ErrFull):
		r.printFinding("not written", found, found.Signature)
	case err != nil && found.Class == "":
		r.env.Warn("diffrun: warning: the bucket for differences fails; it is tried again for each difference: %v\n", err)
	case err != nil:
		r.warnings.Do(func() {
			r.env.Warn("diffrun: warning: a difference could not be written and will be tried again: %v\n", err)
		})
	}
}

// printFinding prints a finding, and with --print-cases its case. It ignores errors of stdout, which
// Finish reports.
func (r *runner) printFinding(label string, found soak.Found, where string) {
	weaker := plaintext.Text("")
	if found.Weaker {
		weaker = " (the redacted case does not show it)"
	}
	text := found.Text
	if found.Message != "" {
		text += ": " + found.Message
	}
	_ = r.env.Stdout.Printf("%s: %s: %s%s\n", label, text, where, weaker)
	if r.printCases && found.Line != nil {
		_ = r.env.Stdout.Printf("%s", plaintext.Text(found.Line))
	}
}
