// Package diffrun holds the suites that come with the command. The packages
// that compare validators stand below it; harness is where to begin.
package diffrun

import (
	"embed"
	"io/fs"
)

//go:embed exceptions.yaml cases/kubernetes cases/tags/objects
var bundle embed.FS

// Bundle gives the bundled suites, below "cases", and the files that they
// refer to. Paths are those of the repository, so that what a message names
// is what a contributor opens.
func Bundle() fs.FS { return bundle }
