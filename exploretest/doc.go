// Package exploretest looks in go test for inputs on which the two validators of a harness disagree.
//
// [Run] explores for some time, in an ordinary test. [Fuzz] is the target of go test -fuzz, whose
// corpus is on disk and whose coverage shows which branches of hand-written code an input reaches:
//
//	func FuzzWidget(f *testing.F) { exploretest.Fuzz(f, both(f), seeds...) }
//
// With -cover, Run keeps the inputs that execute new code of the covered packages.
//
// Both start from documents: cases of the test, and objects that are made from the schema. What they
// find is shrunk, printed as a case, and written to testdata/explored, for diffrun run or for a table
// of cases.
package exploretest
