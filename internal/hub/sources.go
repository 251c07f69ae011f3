package hub

import "embed"

// Sources holds the files of this package that are put into other modules: all but this one.
//
//go:embed doc.go hub.go serve.go
var Sources embed.FS
