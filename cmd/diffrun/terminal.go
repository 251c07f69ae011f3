package main

import (
	"cmp"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// terminal is stdout or stderr. It is not an io.Writer, so that nothing can be printed there
// but through Printf, which makes text from files plain.
type terminal struct {
	file *os.File
	// guarded escapes what got past everything else.
	guarded *plaintext.Writer
	below   *remembering
	mu      sync.Mutex // a server says what is wrong with a connection meanwhile
}

func newTerminal(file *os.File) *terminal {
	below := &remembering{out: file}
	return &terminal{file: file, guarded: plaintext.NewWriter(below), below: below}
}

// remembering writes, and keeps the first error for who did not look at it: cobra does not
// when it prints a help.
type remembering struct {
	out    io.Writer
	failed error
	// patient: nobody is to stop because of an error.
	patient bool
}

func (r *remembering) Write(text []byte) (int, error) {
	if r.failed != nil && r.patient {
		return len(text), nil
	}
	n, err := r.out.Write(text)
	if r.failed == nil {
		r.failed = err
	}
	if r.patient {
		return len(text), nil
	}
	return n, err
}

// Printf writes text as plaintext.Sprintf gives it.
func (t *terminal) Printf(format string, args ...any) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return plaintext.Fprintf(t.guarded, format, args...)
}

// close writes what is held back, and gives the first error of writing. The file stays
// open.
func (t *terminal) close() error {
	err := t.guarded.Close()
	return cmp.Or(t.below.failed, err)
}

// shown is stdout for what is not all that a command is for: writing never fails, and the program says
// at the end that it did.
func (t *terminal) shown() io.Writer {
	t.below.patient = true
	return t.guarded
}

// isTerminal says that somebody may be watching.
func (t *terminal) isTerminal() bool { return term.IsTerminal(int(t.file.Fd())) }

// colorful says whether colours reach an eye that wants them
// (https://no-color.org).
func (t *terminal) colorful() bool {
	return t.isTerminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// width is how many columns a terminal has; 0: it is none.
func (t *terminal) width() int {
	columns, _, err := term.GetSize(int(t.file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// printer collects lines for a terminal.
func (t *terminal) printer() *plaintext.Printer { return plaintext.NewPrinter(t.guarded) }
