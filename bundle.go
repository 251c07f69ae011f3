// Package diffrun holds the suites that come with the command. The packages
// that compare validators stand below it; harness is where to begin.
package diffrun

import (
	"embed"
	"io/fs"
)

//go:embed exceptions.yaml cases/kubernetes cases/tags/objects
var bundle embed.FS

// Bundle returns the bundled suites, below "cases", and the files that they refer to. Paths are those of the
// repository, so a path in a message is the file that a contributor opens.
func Bundle() fs.FS { return bundle }
