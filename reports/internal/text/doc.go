// Package text writes a run for people: a block for each case that needs attention, and at the end a
// table of targets, a summary, and the next steps.
package text
