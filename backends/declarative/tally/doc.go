// Package tally counts what the keywords and rules of a compiled schema do.
//
// The compiler registers each keyword at its place ([Tally.Add]). A walk notes in an [Input] what
// happens on an object, and hands it in at the end. Objects are counted, not values: an object with
// three ports is one input. [Coverage] is the view of those who ask for the counts.
package tally
