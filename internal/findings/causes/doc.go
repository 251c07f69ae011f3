// Package causes groups what a run found by its cause: hundreds of cases often show the
// same difference, and a person wants to read it once.
//
// What comes in are the results of a run, one after the other. What comes out are groups
// with their counts and the first example of each, the ones that users of the API notice
// first. Memory is bounded: an example keeps no object, its texts are cut, and what
// belongs to further groups than a bound is counted together.
//
// What makes differences alike is decided by CauseOf. Left to others: how
// groups look in a report.
package causes

import ()
