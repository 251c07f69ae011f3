package terminal

import (
	"cmp"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/term"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Terminal is stdout or stderr. It is not an io.Writer, so that text is printed only by Printf,
// which escapes text from files.
type Terminal struct {
	// File is the stream itself, for programs that write there on their own.
	File *os.File
	// Guarded escapes characters and commands that a terminal or a build system would interpret.
	Guarded *plaintext.Writer
	out     *errorKeeper
	mu      sync.Mutex // a server may report connection errors at any time
	status  atomic.Pointer[StatusLine]
	color   Color
}

// New returns the Terminal of a stream.
func New(file *os.File) *Terminal {
	out := &errorKeeper{out: file}
	return &Terminal{File: file, Guarded: plaintext.NewWriter(out), out: out}
}

// errorKeeper keeps the first error of writing, because cobra ignores it when it prints help.
type errorKeeper struct {
	out     io.Writer
	failed  error
	ignored bool // writers see no error
}

func (k *errorKeeper) Write(text []byte) (int, error) {
	if k.failed != nil && k.ignored {
		return len(text), nil
	}
	n, err := k.out.Write(text)
	if k.failed == nil {
		k.failed = err
	}
	if k.ignored {
		return len(text), nil
	}
	return n, err
}

// Printf writes text as plaintext.Sprintf returns it.
func (t *Terminal) Printf(format string, args ...any) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status.Load().above([]byte(format), func() error { return plaintext.Fprintf(t.Guarded, format, args...) })
}

// HasStatus reports whether a StatusLine is drawn below the output.
func (t *Terminal) HasStatus() bool { return t.status.Load() != nil }

// setStatus sets the line below the output of the terminal, or nil.
func (t *Terminal) setStatus(line *StatusLine) { t.status.Store(line) }

// Close flushes the text and returns the first error of writing. The file stays open.
func (t *Terminal) Close() error {
	err := t.Guarded.Close()
	return cmp.Or(t.out.failed, err)
}

// Infallible returns a writer whose Write never fails, for text that is not the only purpose of a
// command. Close returns the error.
func (t *Terminal) Infallible() io.Writer {
	t.out.ignored = true
	return t.Guarded
}

// Annotations is like Infallible, for the annotations of a CI system.
func (t *Terminal) Annotations() io.Writer {
	t.Guarded.AllowAnnotations()
	return t.Infallible()
}

// IsTerminal reports whether the stream is a terminal.
func (t *Terminal) IsTerminal() bool { return term.IsTerminal(int(t.File.Fd())) }

// Color says when to use colors.
type Color string

// The values of --color.
const (
	ColorAuto   Color = "auto"
	ColorAlways Color = "always"
	ColorNever  Color = "never"
)

// ColorWords lists the values of --color.
func ColorWords() []Color { return []Color{ColorAuto, ColorAlways, ColorNever} }

// SetColor sets when to use colors. The default is ColorAuto.
func (t *Terminal) SetColor(color Color) { t.color = color }

// Colorful reports whether to use colors (https://no-color.org).
func (t *Terminal) Colorful() bool {
	if t.color == ColorAlways || t.color == ColorNever {
		return t.color == ColorAlways
	}
	return t.IsTerminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Width returns the number of columns, or 0 if the stream is not a terminal.
func (t *Terminal) Width() int {
	columns, _, err := term.GetSize(int(t.File.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Printer returns a buffered printer of lines.
func (t *Terminal) Printer() *plaintext.Printer { return plaintext.NewPrinter(t.Guarded) }
