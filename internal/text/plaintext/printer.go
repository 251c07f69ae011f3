package plaintext

import (
	"bufio"
	"errors"
	"io"
)

// Printer collects lines and writes them in large pieces.
type Printer struct{ out *bufio.Writer }

// NewPrinter gives a printer that writes to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{bufio.NewWriter(w)} }

// Printf adds text as Sprintf gives it. An error of writing is returned by the next Flush.
func (p *Printer) Printf(format string, args ...any) {
	_ = Fprintf(p.out, format, args...)
}

// Flush writes what was collected.
func (p *Printer) Flush() error { return p.out.Flush() }

// FlushAfter writes what is left, and joins an error of writing with the error that ended
// the work. If that is the error of writing already, it is given once.
func (p *Printer) FlushAfter(failed error) error {
	if err := p.Flush(); !errors.Is(failed, err) {
		return errors.Join(failed, err)
	}
	return failed
}
