// Package acceptance turns the unexplained differences of a recorded run into exceptions of its suites.
//
// A [Report] collects the differences by their cause and suite. [FileOf] returns the file of exceptions that a suite
// names, or one to make beside it, and [File.Named] the text of the suite that names it. A [Dialogue] asks a person about one
// cause after the other. Package exceptionfile writes the entries.
package acceptance
