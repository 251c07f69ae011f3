// Package redaction takes the texts of objects out of results, so that nothing that is made of them
// (a file, a line of a log, a label of a metric) has any.
//
// In goes a result with its case; out comes the same result about an object of the same shape. The
// texts of an object are its strings, what is encoded in them, and the names that the schema does
// not declare: keys of maps and unknown fields. Names of declared fields stay, because they are
// words of the schema. Errors and faults keep their words, without those that are texts of the
// object or parts of one, and without all numbers and quoted values.
//
// What stays can be found out: which declared fields an object has, the lengths of its texts, and
// words that a validator says although no object has them.
package redaction

import ()
