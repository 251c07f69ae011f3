package keyword

import "github.com/diffrun/diffrun/backends/declarative/internal/tally"

// Reach is a check that finds nothing: it notes which keywords check a value. It stands before
// them, in schemas that are compiled to be counted.
type Reach []tally.ID

// Check notes the keywords.
func (r Reach) Check(s Subject) { s.Reached(r) }
