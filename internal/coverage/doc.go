// Package coverage says what a run did not prove: which keywords and rules of the compared
// schemas no case made fail, and which fields, enum values, versions and subresources no case
// used.
//
// A [Recorder] gives the backends of a run what counts, and takes the results. Out come a
// [Report], written as text, JSON, Markdown or HTML, and its comparison with a [Ratchet], the
// file that holds what was covered before.
package coverage
