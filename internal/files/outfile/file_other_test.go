//go:build !unix

package outfile_test

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
