package main

import (
	"errors"

	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// settled counts what became of a new finding, and prints findings that are new or lost. It warns of
// a bucket that fails at the start, and then of differences that it does not take, three times at first
// and at most once a minute later.
func (k *soaking) settled(found soak.Found, fate counters.Fate, why error) {
	k.counters.Finding(fate)
	switch {
	case fate == counters.Written:
		k.printFound("new", found, found.Path)
	case fate == counters.Dropped && !errors.Is(why, soak.ErrFull):
		k.printFound("not written", found, found.Signature)
	case why != nil && found.Class == "":
		k.program.warn("diffrun: warning: the bucket for differences fails; each difference is tried all the same: %v\n", why)
	case why != nil:
		k.failing.Do(func() {
			k.program.warn("diffrun: warning: a difference could not be written, which is tried again: %v\n", why)
		})
	}
}

// printFound prints a finding, and its case if cases are printed. It ignores errors of stdout: the
// program reports them when it ends.
func (k *soaking) printFound(what string, found soak.Found, where string) {
	weaker := plaintext.Text("")
	if found.Weaker {
		weaker = " (the redacted case does not show it)"
	}
	_ = k.program.stdout.Printf("%s: %s: %s%s\n", what, found.Text, where, weaker)
	if k.printCases && found.Line != nil {
		_ = k.program.stdout.Printf("%s", plaintext.Text(found.Line))
	}
}
