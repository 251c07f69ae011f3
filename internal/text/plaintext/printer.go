package plaintext

import (
	"bufio"
	"errors"
	"io"
)

// Printer collects lines and writes them in large pieces.
type Printer struct{ out *bufio.Writer }

// NewPrinter returns a printer that writes to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{bufio.NewWriter(w)} }

// Printf adds the result of Sprintf. The next Flush returns write errors.
func (p *Printer) Printf(format string, args ...any) {
	_ = Fprintf(p.out, format, args...)
}

// Flush writes what was collected.
func (p *Printer) Flush() error { return p.out.Flush() }

// FlushAfter writes the rest, and joins a write error with the error that ended the work. If both are the
// same, it is returned once.
func (p *Printer) FlushAfter(failed error) error {
	if err := p.Flush(); !errors.Is(failed, err) {
		return errors.Join(failed, err)
	}
	return failed
}
