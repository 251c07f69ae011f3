// Package redaction removes the texts of objects from results, so that files, logs and metrics about these
// results do not contain them.
//
// A [Redactor] returns the result for an object of the same shape. The texts of an object are its strings,
// what is encoded in them, and the names that the schema does not declare: keys of maps and unknown fields.
// Names of declared fields remain, because they are words of the schema. Errors and faults keep their words,
// except texts of the object or parts of them, and all numbers and quoted values.
//
// A redacted result still shows which declared fields an object has, the lengths of its texts, and words of
// a validator that are in no object.
package redaction
