package plaintext

import (
	"fmt"
	"io"
)

// Text is text that is plain already: of the program itself, or made by this package.
// Fprintf and Sprintf write it as it is.
type Text string

// Sprintf formats as fmt does. The format is the program's own; every argument becomes
// a piece of one line, as Line gives it, unless it is a number, a truth value or a Text.
// Errors are written as Error does.
func Sprintf(format string, args ...any) string {
	return fmt.Sprintf(format, plain(args)...)
}

// Fprintf writes what Sprintf gives in one call of w.Write. The error is that of w.
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

// argument is formatted as what it holds, and then made plain.
type argument struct{ value any }

// Format implements fmt.Formatter.
func (a argument) Format(state fmt.State, verb rune) {
	_, _ = io.WriteString(state, Line(fmt.Sprintf(fmt.FormatString(state, verb), a.value))) // fmt keeps it
}
