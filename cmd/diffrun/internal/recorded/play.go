package recorded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/reports"
)

// Play passes a recorded run to a reporter.
func Play(c *terminal.Console, file string, to reports.Reporter) error {
	return read(c, "", file, func(in io.Reader) error { return reports.Play(in, to) })
}

// PlayAll passes the runs that --from names to a reporter, one after the other, and warns of copies.
func PlayAll(c *terminal.Console, from []string, to reports.Reporter) error {
	return each(c, from, func(file string) (checksum string, err error) {
		err = read(c, fromFlag, file, func(in io.Reader) error { return reports.Play(in, summed{to, &checksum}) })
		return checksum, err
	})
}

// summed is a reporter that keeps the checksum of a run.
type summed struct {
	reports.Reporter
	checksum *string
}

func (s summed) End(footer reports.Footer) error {
	*s.checksum = footer.Checksum
	return s.Reporter.End(footer)
}

// Verify reads a whole recorded run before any of it is shown, because its checksum is at its end. It
// passes over files that can only be read once; playing them reports what is wrong.
func Verify(c *terminal.Console, file string) error {
	if info, err := os.Stat(file); file == infile.Stdin || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return Play(c, file, Handler{})
}

// Handler is a Reporter that calls the functions that are not nil.
type Handler struct {
	Header  func(reports.Header)
	Results func(harness.Result) error
	Footer  func(reports.Footer)
}

// Begin calls Header.
func (h Handler) Begin(header reports.Header) error {
	if h.Header != nil {
		h.Header(header)
	}
	return nil
}

// Result calls Results.
func (h Handler) Result(r harness.Result) error {
	if h.Results != nil {
		return h.Results(r)
	}
	return nil
}

// End calls Footer.
func (h Handler) End(footer reports.Footer) error {
	if h.Footer != nil {
		h.Footer(footer)
	}
	return nil
}

// read opens a recorded run and reads it with a function. Messages name the file after flag.
func read(c *terminal.Console, flag, file string, with func(io.Reader) error) error {
	unreadable := func(err error) error {
		return fmt.Errorf("%s%s cannot be read: %w; expected the report of a run (diffrun run -o jsonl=FILE), or - for stdin",
			flag, file, infile.Cause(err))
	}
	in, err := c.OpenInput(context.Background(), file)
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()
	source := &errorKeeper{in: in}
	err = with(source)
	switch {
	case source.failed != nil:
		return unreadable(source.failed)
	case err != nil:
		return fmt.Errorf("%s%s: %w", flag, file, err)
	}
	return nil
}

// errorKeeper keeps the error of reading a file, which is not a mistake in its content.
type errorKeeper struct {
	in     io.Reader
	failed error
}

func (k *errorKeeper) Read(into []byte) (int, error) {
	n, err := k.in.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		k.failed = err
	}
	return n, err
}
