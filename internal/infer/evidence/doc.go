// Package evidence asks the native validator about objects, and keeps what it answers.
//
// In come a [Target] and inputs; out go [Sample]s: the objects as validation sees them, and the errors that the native
// validator reports. Errors with a place, a type and a text in common are a [Site]. The objects may also be [Requests], which
// policies read. What the errors mean is left to packages rules and search.
package evidence
