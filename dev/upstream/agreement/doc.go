// Package agreement compares this project's validation with calls that were captured from
// apiextensions-apiserver's unit tests.
//
// It takes calls (package capture), and returns a Finding for each call and way of comparing it:
// upstream's result, this project's result, and whether the two are equal. Errors are compared as
// multisets of type and field, and separately with detail and bad value; values as JSON.
//
// Most functions under test do one stage of a validation. The way "stage" compares that stage alone
// with what was captured. The way "whole" takes schema and object of the call through all stages of
// both sides, upstream's in the order of the API server (backends/reference). The way "lines" asks
// a diffrun command about the same, as programs do (lines.go).
//
// A difference that remains has a row in reasons.go. A reason that explains nothing is an error.
package agreement
