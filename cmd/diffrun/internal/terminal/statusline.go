package terminal

import (
	"cmp"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// StatusLine is a line below the output of a terminal that shows progress. It is drawn ten times a second, and
// removed before anything else is printed there. A nil StatusLine draws nothing.
type StatusLine struct {
	out  *Terminal
	text func(columns int) string
	mu   sync.Mutex
	// drawn is true while the line is on the screen, and within while output ends within a line, below which
	// nothing can be drawn.
	drawn, within bool
	stopped       bool
	ticker        *time.Ticker
	done          chan struct{}
}

const statusInterval = 100 * time.Millisecond

// eraseLine moves the cursor to the beginning of its line and erases the line.
const eraseLine = "\r\x1b[2K"

// NewStatusLine starts to draw a line on stderr: a text for a number of columns. It returns nil if stderr is
// not a terminal.
func NewStatusLine(stderr *Terminal, text func(columns int) string) *StatusLine {
	if !stderr.IsTerminal() {
		return nil
	}
	l := &StatusLine{out: stderr, text: text, ticker: time.NewTicker(statusInterval), done: make(chan struct{})}
	stderr.setStatus(l)
	go func() {
		for {
			select {
			case <-l.done:
				return
			case <-l.ticker.C:
				l.draw()
			}
		}
	}()
	return l
}

// draw draws the line again. Its last column stays free, so that the terminal does not break it.
func (l *StatusLine) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped || l.within {
		return
	}
	columns := cmp.Or(l.out.Width(), 80) - 1
	text := plaintext.Line(l.text(columns))
	for utf8.RuneCountInString(text) > columns {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	_, _ = io.WriteString(l.out.File, eraseLine+text) // there is no other place to report an error
	l.drawn = true
}

// above removes the line, and calls print while it is not drawn. text is the output of print.
func (l *StatusLine) above(text []byte, print func() error) error {
	if l == nil {
		return print()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	if len(text) > 0 {
		l.within = text[len(text)-1] != '\n'
	}
	return print()
}

func (l *StatusLine) erase() {
	if l.drawn {
		_, _ = io.WriteString(l.out.File, eraseLine)
		l.drawn = false
	}
}

// Above returns a writer to the file of a stream. If that is a terminal, text appears above the line.
func (l *StatusLine) Above(stream *Terminal) io.Writer {
	if l == nil || !stream.IsTerminal() {
		return stream.File
	}
	return writerAbove{l, stream.File}
}

type writerAbove struct {
	line *StatusLine
	out  *os.File
}

func (w writerAbove) Write(text []byte) (n int, err error) {
	err = w.line.above(text, func() error {
		n, err = w.out.Write(text)
		return err
	})
	return n, err
}

// Stop removes the line. It may be called more than once.
func (l *StatusLine) Stop() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	l.erase()
	l.stopped = true
	l.ticker.Stop()
	close(l.done)
	l.out.setStatus(nil)
}
