package plaintext

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// Writer passes printable text on, with its line breaks and tabs, and escapes everything else, including
// commands of CI systems. It serves one goroutine at a time.
type Writer struct {
	out      io.Writer
	passed   [][]byte // sequences that are passed on
	commands [][]byte // those that are passed on at the beginning of a line
	held     []byte   // the beginning of an incomplete character or sequence
	inLine   bool     // the line so far has more than white space
}

// NewWriter returns a Writer that allows the given styles.
func NewWriter(out io.Writer, styles ...Style) *Writer {
	w := &Writer{out: out}
	for _, style := range styles {
		w.passed = append(w.passed, []byte(style.begin()))
	}
	if len(styles) > 0 {
		w.passed = append(w.passed, []byte(styleEnd))
	}
	return w
}

// Write passes everything on in one call, except for an incomplete character, style or command at the end,
// which waits for the rest.
func (w *Writer) Write(text []byte) (int, error) {
	rest := append(w.held, text...)
	w.held = nil
	var out []byte
	for len(rest) > 0 {
		if w.isBeginning(rest) {
			w.held = bytes.Clone(rest)
			break
		}
		size := 0
		out, size = w.appendNext(out, rest)
		rest = rest[size:]
	}
	if len(out) > 0 {
		if _, err := w.out.Write(out); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}

// Close writes an incomplete rest. The underlying writer stays open.
func (w *Writer) Close() error {
	if len(w.held) == 0 {
		return nil
	}
	var out []byte
	for rest := w.held; len(rest) > 0; {
		size := 0
		out, size = w.appendNext(out, rest)
		rest = rest[size:]
	}
	w.held = nil
	_, err := w.out.Write(out)
	return err
}

// isBeginning reports whether the bytes may be a different character or sequence together with later ones.
func (w *Writer) isBeginning(rest []byte) bool {
	switch {
	case !utf8.FullRune(rest):
		return true
	case rest[0] == '#':
		return len(rest) <= len(commandMark)+longestWord && mayBegin(string(rest))
	case rest[0] == ':':
		return !w.inLine && (len(rest) == 1 || mayGoOn(w.commands, rest))
	}
	return rest[0] == '\x1b' && mayGoOn(w.passed, rest)
}

// mayGoOn reports whether the text is a proper prefix of one of some sequences.
func mayGoOn(sequences [][]byte, text []byte) bool {
	return slices.ContainsFunc(sequences, func(sequence []byte) bool {
		return len(text) < len(sequence) && bytes.HasPrefix(sequence, text)
	})
}

// appendNext appends the next character or sequence, and returns its number of bytes.
func (w *Writer) appendNext(out, rest []byte) (after []byte, size int) {
	if size = harmless(rest); size > 0 {
		w.inLine = w.inLine || len(bytes.TrimLeft(rest[:size], " ")) > 0
		return append(out, rest[:size]...), size
	}
	for _, style := range w.passed {
		if bytes.HasPrefix(rest, style) {
			return append(out, style...), len(style)
		}
	}
	for _, command := range w.commands {
		if !w.inLine && bytes.HasPrefix(rest, command) {
			w.inLine = true
			return append(out, command...), len(command)
		}
	}
	r, size := utf8.DecodeRune(rest)
	isCommand := rest[0] == '#' && beginsCommand(string(rest[:min(len(rest), len(commandMark)+longestWord+1)])) ||
		!w.inLine && bytes.HasPrefix(rest, []byte(lineCommand))
	switch {
	case r == '\n':
		w.inLine = false
		return append(out, '\n'), size
	case r == '\t':
		return append(out, '\t'), size
	case isCommand:
		out = fmt.Appendf(out, `\x%02x`, rest[0])
	default:
		out = append(out, escaped(r, string(rest[:size]))...)
	}
	w.inLine = true
	return out, size
}

// harmless returns how many of the next bytes are printable and do not begin a sequence.
func harmless(rest []byte) int {
	for i, b := range rest {
		if b < ' ' || b >= 0x7f || b == '#' || b == ':' {
			return i
		}
	}
	return len(rest)
}
