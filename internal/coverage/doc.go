// Package coverage shows what a run did not prove: which keywords and rules of the compared schemas no case
// made fail, and which fields, enum values, versions and subresources no case used.
//
// A [Recorder] returns counters for the backends of a run, and takes its results. Its [Report] can be
// written as text, JSON, Markdown or HTML, and compared with a [Ratchet], the file with what was covered
// before.
package coverage
