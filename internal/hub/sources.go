package hub

import "embed"

// Sources has the files of this package that are compiled into other modules: all except this one.
//
//go:embed doc.go hub.go serve.go
var Sources embed.FS
