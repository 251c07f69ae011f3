package soak

import (
	"context"

	"github.com/diffrun/diffrun/internal/live/counters"
)

// keeper is where findings are kept: a directory, or a bucket that others write to as well.
type keeper interface {
	// names are the names of the findings that are kept there, in any order.
	names() ([]string, error)
	// keep takes a new finding with the text about it; false: it has no room for it now. What
	// became of the finding is said by the function that the keeper was made with, maybe later.
	keep(found Found, text []byte) (taken bool, err error)
	// path is where the text about a finding is, or will be.
	path(name string) string
	// close waits for what is on its way until the context ends, and says what was not kept.
	close(ctx context.Context) error
}

// settled is told what became of a finding; why is the error if it failed or was dropped.
type settled func(found Found, fate counters.Fate, why error)
