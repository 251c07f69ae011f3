package equivalence

import (
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// decodeEntries reads a file that holds a list of entries. What is wrong is
// added to mistakes; the entries that could be read are given all the same, so
// that they are checked further.
func decodeEntries[T any](file string, data []byte, mistakes *strictyaml.Mistakes) []T {
	var entries []T
	mistakes.Merge(file, strictyaml.Decode(file, data, &entries))
	return entries
}
