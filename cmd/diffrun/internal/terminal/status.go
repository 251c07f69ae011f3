package terminal

import "fmt"

// Status is the exit status of the command.
type Status int

// The exit statuses, as docs/reference lists them.
const (
	OK        Status = 0
	Different Status = 1
	Mistake   Status = 2
	Fault     Status = 3
	// Interrupted is the status that shells report for a command that SIGINT ended.
	Interrupted Status = 130
)

// ExitError ends the command with a status other than that of a mistake. Reason is printed on
// stderr; it may be nil.
type ExitError struct {
	Status Status
	Reason error
}

// Exit returns an ExitError without a reason.
func Exit(status Status) *ExitError { return &ExitError{Status: status} }

func (e *ExitError) Error() string {
	if e.Reason == nil {
		return fmt.Sprintf("exit status %d", e.Status)
	}
	return e.Reason.Error()
}

// Exitf returns an ExitError with a formatted reason.
func Exitf(status Status, format string, args ...any) *ExitError {
	return &ExitError{status, fmt.Errorf(format, args...)}
}

// OrNil returns nil if the status is OK and there is no reason.
func (e *ExitError) OrNil() error {
	if e.Status == OK && e.Reason == nil {
		return nil
	}
	return e
}

// UsageError is a command line that cannot be understood.
type UsageError struct{ error }

// Usage returns an error as a UsageError.
func Usage(err error) UsageError { return UsageError{err} }

// Usagef returns a UsageError with a formatted message.
func Usagef(format string, args ...any) UsageError { return UsageError{fmt.Errorf(format, args...)} }
