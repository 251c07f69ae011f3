// Package checksum detects changes of a recorded run: results that were deleted, doubled, moved or
// edited, and a changed header or footer.
//
// A Summer computes the number of results and a hash of the header, the results and the footer, which
// the footer records. White space and the order of keys do not matter, because other programs may
// rewrite a document; the formats json and jsonl of one run have the same checksum. It is not a
// signature and does not prevent forgery.
package checksum
