//go:build go1.22

// Package hub is put into a program beside the API types of another module, whose conversion
// methods it calls (conversion.Hub and conversion.Convertible of controller-runtime). In go lines
// with objects and the version that is wanted, out come lines with the converted objects.
package hub
