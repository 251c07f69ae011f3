//go:build !unix && !windows

package outfile

import (
	"errors"
	"os"
)

// tryLock cannot lock files here.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
