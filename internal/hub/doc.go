//go:build go1.22

// Package hub is compiled into a program with the API types of another module. It reads lines with
// objects and a version, calls the conversion methods of the types (conversion.Hub and
// conversion.Convertible of controller-runtime), and writes lines with the converted objects.
package hub
