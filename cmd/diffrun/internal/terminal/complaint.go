package terminal

import (
	"errors"
	"fmt"
	"io"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Console has the three standard streams of a command.
type Console struct {
	Stdin          io.Reader
	Stdout, Stderr *Terminal
	// Judges is set by commands whose exit status is a verdict. If stdout cannot be written, they
	// keep their status; for other commands that is an error.
	Judges bool
}

// Warn writes to stderr. It ignores errors, because there is no other place to report them.
func (c *Console) Warn(format string, args ...any) { _ = c.Stderr.Printf(format, args...) }

// WarnAll prints a warning for each of a list, up to the number that people read.
func WarnAll[T any](c *Console, all []T) {
	shown, more := plaintext.First(all)
	for _, one := range shown {
		c.Warn("diffrun: warning: %v\n", one)
	}
	if more > 0 {
		c.Warn("diffrun: warning: %s\n", plaintext.More(more))
	}
}

// Finish closes the streams, prints the error that a command returned, and returns the exit status.
// commandPath names the command in a hint about its usage.
func (c *Console) Finish(commandPath string, err error) Status {
	defer c.Stderr.Close() // its error cannot be reported
	switch err := c.joinStdout(err).(type) {
	case nil:
		return OK
	case *ExitError:
		c.complain(err.Reason)
		return err.Status
	case UsageError:
		c.complain(err.error)
		c.Warn("%q explains the usage\n", commandPath+" --help")
	default:
		c.complain(err)
	}
	return Mistake
}

// joinStdout adds the error of writing stdout to the one that the command returned.
func (c *Console) joinStdout(err error) error {
	closing := c.Stdout.Close()
	ended := (*ExitError)(nil)
	switch {
	case closing == nil || err != nil && !errors.As(err, &ended):
		return err
	case err == nil && !c.Judges:
		return closing
	case ended == nil:
		ended = &ExitError{}
	}
	return &ExitError{ended.Status,
		errors.Join(fmt.Errorf("stdout was not written: %w; the exit status is still the verdict", infile.Cause(closing)), ended.Reason)}
}

// complain prints errors on stderr, each on a line of its own, up to the number that people read.
// Mistakes begin with their file; the first other error begins with the name of the command.
func (c *Console) complain(err error) {
	all, prefix := Errors(err), plaintext.Text("diffrun: ")
	shown, more := plaintext.First(all)
	for _, part := range shown {
		if mistake, is := part.(strictyaml.Mistake); is {
			c.Warn("%s: %s\n", mistake.Position, mistake.Message)
		} else {
			c.Warn("%s%v\n", prefix, part)
		}
		prefix = ""
	}
	if more > 0 {
		c.Warn("%s\n", plaintext.More(more))
	}
}

// Errors returns the errors that an error joins, at any depth, and the mistakes of a list.
func Errors(err error) []error {
	var all []error
	switch several := err.(type) {
	case nil:
	case strictyaml.Mistakes:
		for _, mistake := range several {
			all = append(all, mistake)
		}
	case interface{ Unwrap() []error }:
		if err.Error() != errors.Join(several.Unwrap()...).Error() {
			return []error{err} // the error adds a text of its own
		}
		for _, one := range several.Unwrap() {
			all = append(all, Errors(one)...)
		}
	default:
		all = []error{err}
	}
	return all
}
