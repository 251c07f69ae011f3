// Package rules makes the conditions under which a native validator may report an error.
//
// In come [Facts] about the errors at one scope; out go [Condition]s, which are trees of package celexpr with the changes of
// objects that make them true and false. [Read] moves what the source of a validator says to the scope. Where no source says it,
// as for validators in other languages, families of conditions are guessed; each is a function, and a row of a table. Whether a
// condition is the reason of an error is left to package search.
package rules
