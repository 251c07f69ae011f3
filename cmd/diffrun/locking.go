package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// patienceWithChange is how long a command waits for another one that changes the same file.
const patienceWithChange = 30 * time.Second

// lockForChange locks a file that a command reads, changes and writes, so that of two commands at once
// none loses what the other one wrote. Messages name the file behind flag.
func lockForChange(ctx context.Context, flag, file string, patience time.Duration) (*outfile.Lock, error) {
	if err := checkLockable(flag, file); err != nil {
		return nil, err
	}
	lock, err := outfile.LockFile(ctx, file, patience)
	switch held := (*outfile.HeldError)(nil); {
	case errors.As(err, &held):
		return nil, fmt.Errorf("%s%w, which changes it; try again when that has ended", flag, err)
	case err != nil:
		return nil, fmt.Errorf("%s%s cannot be written: %w", flag, file, infile.Cause(err))
	}
	return lock, nil
}

// checkLockable refuses what lockForChange cannot lock, for commands that would only find it out at the
// end.
func checkLockable(flag, file string) error {
	if bucket.Is(file) {
		return fmt.Errorf("%s%s is an object of a bucket, which cannot be locked while it is changed; name a file", flag, file)
	}
	return nil
}
