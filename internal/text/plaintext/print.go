package plaintext

import (
	"fmt"
	"io"
)

// Text is printable already: it belongs to the program itself, or was made by this package. Fprintf and
// Sprintf write it unchanged.
type Text string

// Sprintf formats like fmt. The format is the program's own; every argument becomes part of one line, as by
// Line, unless it is a number, a boolean or a Text. Errors are written as by Error.
func Sprintf(format string, args ...any) string {
	return fmt.Sprintf(format, plain(args)...)
}

// Fprintf writes the result of Sprintf in one call of w.Write. The error is that of w.
func Fprintf(w io.Writer, format string, args ...any) error {
	_, err := io.WriteString(w, Sprintf(format, args...))
	return err
}

func plain(args []any) []any {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case bool, int, int64, uint64, float64, Text:
			safe[i] = arg
		case error:
			safe[i] = Text(Error(arg))
		default:
			safe[i] = argument{arg}
		}
	}
	return safe
}

// argument is formatted like its value, and then made plain.
type argument struct{ value any }

// Format implements fmt.Formatter.
func (a argument) Format(state fmt.State, verb rune) {
	_, _ = io.WriteString(state, Line(fmt.Sprintf(fmt.FormatString(state, verb), a.value))) // fmt keeps it
}
