package equivalence

import (
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// decodeEntries reads a file that holds a list of entries. It adds errors to mistakes, and returns the
// entries that could be read, so that they are checked, too.
func decodeEntries[T any](file string, data []byte, mistakes *strictyaml.Mistakes) []T {
	var entries []T
	mistakes.Merge(file, strictyaml.Decode(file, data, &entries))
	return entries
}
