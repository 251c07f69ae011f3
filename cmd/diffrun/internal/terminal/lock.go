package terminal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// lockTimeout is how long a command waits for a different one that changes the same file.
const lockTimeout = 30 * time.Second

// Lock locks a file that a command reads, changes and writes, so that two commands at once do not
// lose each other's changes. Messages name the file after flag, which ends with a space.
func Lock(ctx context.Context, flag, file string) (*outfile.Lock, error) {
	if err := CheckLockable(flag, file); err != nil {
		return nil, err
	}
	lock, err := outfile.LockFile(ctx, file, lockTimeout)
	switch held := (*outfile.HeldError)(nil); {
	case errors.As(err, &held):
		return nil, fmt.Errorf("%s%w, which changes it; try again when that has ended", flag, err)
	case err != nil:
		return nil, fmt.Errorf("%s%s cannot be written: %w", flag, file, infile.Cause(err))
	}
	return lock, nil
}

// CheckLockable refuses what Lock cannot lock, for commands that lock a file only at their end.
func CheckLockable(flag, file string) error {
	if bucket.Is(file) {
		return fmt.Errorf("%s%s is an object of a bucket, which cannot be locked while it is changed; name a file", flag, file)
	}
	return nil
}
