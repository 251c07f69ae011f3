// Package corpus makes files of cases from recorded calls.
//
// In go the lines of package recorder, and the API versions of their Go types. Out come cases,
// each once and in an order that does not depend on how the tests ran (New), and the files
// that a suite reads (Write): a file of JSON lines for each kind, and below "parts" one for
// each Go type that is no object of an API.
//
// Two calls are the same case if the function, the objects, the other arguments, the feature
// gates and the errors are the same. The id of a case is made from these, so that it stays
// what it is when tests are moved.
package corpus
