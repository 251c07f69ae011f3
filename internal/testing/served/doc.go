// Package served is what the tests of several packages hold the schema side against:
// real CustomResourceDefinitions and the form that the API server gives their
// schemas, and what a deep copy of an object costs.
//
// What comes in is a test, and YAML where a test writes a schema or an object. What
// comes out is ready to be compared; what cannot be read ends the test.
//
// Left to others: generating schemas and objects (package generate), and what the API
// server finds invalid (package reference). No package imports this one but tests.
package served
