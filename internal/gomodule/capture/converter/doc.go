//go:build go1.22

// Package converter is put into a program beside the validators of another module. It turns
// recorded objects of internal types into documents of an external version, and calls the
// validators again with what these documents say.
//
// In go the lines of package recorder and a scheme (Program). Out comes an Answer for each
// line. An object is read into its Go type as the recorder wrote it, by the Go names of its
// fields, and converted by the scheme. Replaying (Replay) reads the document back: what a
// conversion loses then shows in the errors.
package converter
