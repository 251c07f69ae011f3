// Package soak runs cases for a long time and keeps what it finds.
//
// What comes in are jobs, over and over. What comes out is a [Folder]: each new difference
// as a case that "diffrun run" replays, with a text for people beside it, and the counts of
// the run. A directory goes on from what it had: after a soak that was stopped, no case is compared
// again, and after one that was killed only those that were being compared. No difference is written
// twice. A bucket is shared: however many processes find a
// difference, one of them writes it. [Routes] serve metrics and health.
//
// Memory is bounded: of a case nothing is kept, and of a difference its signature, up to
// maxFindings of them. What a bucket does not take at once waits in a bounded queue.
//
// Left to others: where cases come from (package cases), how they are compared (package
// harness), and what differences have one cause (package equivalence).
package soak
