package infile

import "strings"

// Literal returns the pattern that matches only one path, for fs.Glob and, on Unix, filepath.Glob.
func Literal(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
