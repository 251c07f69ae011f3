// Package program has the parts of the program of a release that package native/kubernetes/registry uses, too: they are compiled
// here, and copied into the program with its templates.
package program
