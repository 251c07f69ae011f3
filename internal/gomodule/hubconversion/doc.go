// Package hubconversion converts objects with the conversion methods of a project's own Go types,
// as the conversion webhook of the project does.
//
// What comes in are packages, one for each version of an API, and a type whose versions have the
// methods of controller-runtime: Hub on one, ConvertTo and ConvertFrom on the others. What comes
// out is a Converter. The methods run in a program that the go command builds in the user's module
// from package hub, with -overlay, so that no file is written there.
//
// Left to others: what a definition does with converted objects (package customresource).
package hubconversion
