package escapes

import (
	"embed"
	"io/fs"
)

//go:embed */*.yaml
var suites embed.FS

// Suites returns a folder for each escape with its suite, definition and cases. A folder with
// mended.yaml also has a definition that agrees with the validator.
func Suites() fs.FS { return suites }
