//go:build go1.22

// Package converter is compiled into a program with the validators of another module. A Program reads
// the lines of package recorder, converts objects of internal types to documents of an external
// version by a scheme, and writes an Answer for each line.
//
// It also decodes the documents again and calls the validators with them, so that losses of the
// conversion show in the errors.
package converter
