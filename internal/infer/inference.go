package infer

import (
	"time"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/search"
)

// inference is one run.
type inference struct {
	evidence *evidence.Evidence
	finder   *search.Finder
	prover   *proposal.Prover
	strict   *evidence.StrictErrors
	// planned is how many changes of single fields the exploration left.
	planned int
	// explored is how many inputs the exploration had, exploring is it until it is over, and corpus and tried are what an
	// earlier one left.
	explored  int
	exploring *explore.Explorer
	corpus    []explore.Input
	tried     []uint64
	saved     time.Time
	// resumed is how many samples an earlier run left.
	resumed int
}
