// Package counters counts what a long run does in addition to comparing: what became of its
// findings, and the requests that its webhook answered. [Counters.Handler] serves these counters
// together with those of the results.
package counters
