// Package tally counts what the keywords and rules of a compiled schema did.
//
// The compiler registers each keyword at its place ([Tally.Add]). A walk notes what an object
// did in an [Input], and hands it in when the object is done. The counts are of objects, not
// of values: an object with three ports is one input.
package tally
