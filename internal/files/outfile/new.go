package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
)

// WriteNew writes a file unless it exists, and reports whether it did. Of several processes, also on
// machines that share a volume, exactly one does. The file system must support hard links.
func WriteNew(name string, content []byte) (written bool, err error) {
	// Containers that share a volume may have the same process number.
	staged := fmt.Sprintf("%s.%x%s", name, rand.Uint64(), stagedSuffix)
	file, err := os.OpenFile(staged, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less the umask
	if err != nil {
		return false, named(err, name)
	}
	defer os.Remove(staged)
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return false, named(err, name)
	}
	if err = os.Link(staged, name); errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, named(err, name)
}
