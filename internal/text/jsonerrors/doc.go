// Package jsonerrors says what is wrong with JSON to people who never see the Go type
// that it was to be read into.
//
// In goes the error of a JSON decoder (encoding/json, sigs.k8s.io/json). Out comes one
// that names the field and what it must be, in the words of JSON. Decodable finds all that
// a decoder stumbles over, and where that is.
package jsonerrors
