// Package counters counts the findings and requests of a long run, in addition to its results: the outcome of
// each finding, and the requests that its webhook answered. [Counters.Handler] serves these counters together
// with those of the results.
package counters
