// Package rundiff compares two recorded runs: what only the new run shows, what is gone, and what has
// changed.
//
// Two inputs are the same if suite, case, target, operation and subresource are equal. The differences
// between the runs are grouped by cause. Of the old run, a [Comparison] keeps the results that need
// attention, and a hash of each other input.
package rundiff

import ()
