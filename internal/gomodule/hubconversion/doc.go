// Package hubconversion converts objects with the conversion methods of a project's own Go types,
// as the conversion webhook of the project does.
//
// Find looks for the methods of controller-runtime in the packages of the versions of a type: Hub in
// one, ConvertTo and ConvertFrom in the others. Build builds a program with the methods from package
// hub in the user's module, by an overlay, so that no file is written there.
package hubconversion
