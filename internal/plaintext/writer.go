package plaintext

import (
	"bytes"
	"io"
	"slices"
	"unicode/utf8"
)

// Writer passes printable text on, with its line breaks and tabs, and escapes all else.
// It serves one goroutine at a time.
type Writer struct {
	out    io.Writer
	passed [][]byte // sequences that pass as they are
	held   []byte   // the beginning of a character that is not whole yet
}

// NewWriter makes a Writer that lets the given styles pass.
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

// Write passes all on in one call, but for the beginning of a character or of a style
// at its end, which waits for the rest.
func (w *Writer) Write(text []byte) (int, error) {
	if len(w.held) == 0 && isPlainText(text) {
		return w.out.Write(text)
	}
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

// Close writes what still waits for its rest. The writer below stays open.
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

// isPlainText says that ASCII can pass as it is.
func isPlainText(text []byte) bool {
	for _, b := range text {
		if b >= 0x7f || b < ' ' && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}

// isBeginning says that the next bytes may be something else with those to come.
func (w *Writer) isBeginning(rest []byte) bool {
	if !utf8.FullRune(rest) {
		return true
	}
	return rest[0] == '\x1b' && slices.ContainsFunc(w.passed, func(style []byte) bool {
		return len(rest) < len(style) && bytes.HasPrefix(style, rest)
	})
}

// appendNext appends the next character, or style, and says how many bytes that was.
func (w *Writer) appendNext(out, rest []byte) (after []byte, size int) {
	for _, style := range w.passed {
		if bytes.HasPrefix(rest, style) {
			return append(out, style...), len(style)
		}
	}
	r, size := utf8.DecodeRune(rest)
	if r == '\n' || r == '\t' {
		return append(out, byte(r)), size
	}
	return append(out, escaped(r, string(rest[:size]))...), size
}
