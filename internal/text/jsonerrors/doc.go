// Package jsonerrors rewords errors of JSON decoders (encoding/json, sigs.k8s.io/json) for users who do
// not see the Go types: an error names the field and the JSON type that it must have. Decodable finds
// all errors in a value with their places.
package jsonerrors
