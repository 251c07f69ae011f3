package infile

import "strings"

// Literal gives the pattern that matches a path alone, for fs.Glob, and on Unix for filepath.Glob.
func Literal(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
