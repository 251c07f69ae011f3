// Package rundiff compares two recorded runs and reports which findings are new, gone or changed.
//
// Two inputs are the same if suite, case, target, operation and subresource are equal. The differences
// between the runs are grouped by cause. A [Comparison] keeps the results of the old run that need
// attention, and a hash of every other input.
package rundiff

import ()
