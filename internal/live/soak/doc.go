// Package soak keeps what a long run finds. A [Folder] takes the results of cases, over and over, and
// writes each new finding as a case that "diffrun run" replays, with a text for people beside it.
//
// A folder is a directory or a bucket. A directory also has the counts of the run, and the next run
// continues there: after a run that was stopped, no case is compared twice, and after one that was
// killed, only the cases that were being compared. A bucket is shared: of all processes that find a
// difference, one writes it.
//
// Memory is bounded: a Folder keeps no case, and the signatures of at most maxFindings findings. Findings
// that a bucket does not take at once wait in a bounded queue.
package soak
