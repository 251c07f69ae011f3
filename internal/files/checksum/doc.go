// Package checksum says whether a recorded run is the one that was written: no result deleted,
// doubled, moved or edited, and neither the header nor the footer changed.
//
// In go the header, the results and the footer as JSON, in the order of the run. Out comes a count
// of the results and a hash, which the footer of the run records. White space and the order of keys
// do not matter, because other programs may write a document anew: the formats json and jsonl of
// one run have one checksum. It is no signature: whoever wants to forge a run can.
//
// Left to others: reading and writing the run.
package checksum
