// Package rundiff compares two recorded runs: what the new one shows that the old one did
// not, what is gone, and what has changed.
//
// What comes in are the results of the old run, then those of the new one. Inputs are the
// same if suite, case, target, operation and subresource are. What comes out are groups
// by cause, with counts. Of the old run it holds the results that need attention, and a
// hash of the others.
//
// Left to others: reading the runs, drawing the comparison, the exit status.
package rundiff

import ()
