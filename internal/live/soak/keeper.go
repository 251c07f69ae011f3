package soak

import (
	"context"

	"github.com/diffrun/diffrun/internal/live/counters"
)

// keeper stores findings: in a directory, or in a bucket that other processes write to as well.
type keeper interface {
	// names returns the names of all stored findings, in any order.
	names() ([]string, error)
	// keep takes a new finding and the text about it, and reports whether there is room for it. The fate
	// of the finding goes to the findingFunc of the keeper, possibly later.
	keep(found Found, text []byte) (taken bool, err error)
	// path returns the file of the text about a finding.
	path(name string) string
	// close waits for pending findings until the context ends. The error lists what was not stored.
	close(ctx context.Context) error
}

// findingFunc is called with the fate of a finding. why is the error if it failed or was dropped.
type findingFunc func(found Found, fate counters.Fate, why error)
