// Package rules makes the conditions under which a native validator may report an error.
//
// In come [Facts] about the errors at one scope; out go [Condition]s, which are CEL expressions with the changes of objects that
// make them true and false. Each family of conditions is a function, and a row of a table. Whether a condition is the reason of
// an error is left to package search.
package rules
