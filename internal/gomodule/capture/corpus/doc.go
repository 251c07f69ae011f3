// Package corpus makes files of cases from recorded calls.
//
// New turns the lines of package recorder into cases, each once and in an order that does not depend on
// how the tests ran. Write writes the files that a suite reads: a file of JSON lines for each kind,
// and below "parts" one for each Go type that is not an API object.
//
// Two calls are the same case if the function, the objects, the other arguments, the feature gates and
// the errors are equal. The id of a case is a hash of these, so it does not change if tests are moved.
package corpus
