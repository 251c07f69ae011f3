//go:build !unix && !windows

package outfile

import (
	"errors"
	"os"
)

// tryLock does nothing: files cannot be locked on this system.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
