package idl

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
)

// limited is a dialect that is read in the sources of some packages alone.
type limited struct {
	Dialect
	packages []string
}

// Only gives a dialect that is read in the sources of these packages alone, each a Go package or
// the folder of its versions. Elsewhere its markers belong to other tools. Overlays have all markers.
func Only(packages []string, dialect Dialect) Dialect { return &limited{dialect, packages} }

// leavesOut reports whether a dialect knows a marker of a source, and is not read there.
func leavesOut(dialect Dialect, from marker.Line, text string) bool {
	only, ok := dialect.(*limited)
	if !ok || from.Overlay || marker.InPackages(only.packages, from.Package) {
		return false
	}
	name, _ := marker.SplitName("+" + text)
	return slices.Contains(only.Names(), name)
}
