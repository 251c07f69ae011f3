package run

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
)

// progress is a bar on stderr. A nil progress, and one without a terminal, draws nothing.
type progress struct {
	line  *terminal.StatusLine
	noun  string
	total int // 0: unknown
	done  atomic.Int64
	began time.Time
	last  *harness.Case
	// starting describes the programs that must start before anything is done; it may be nil.
	starting func() string
}

// newProgress draws a bar for this number of items. If total is 0, it only counts.
func newProgress(stderr *terminal.Terminal, total int, noun string, starting func() string) *progress {
	p := &progress{noun: noun, total: total, began: time.Now(), starting: starting}
	p.line = terminal.NewStatusLine(stderr, p.text)
	return p
}

// barColumns is the width of a bar.
const barColumns = 32

// text returns the bar, as "━━━━    12 of 30 cases  4s". With a total, it ends with the estimated time that is
// left.
func (p *progress) text(int) string {
	if p.starting != nil {
		if text := p.starting(); text != "" {
			return text
		}
	}
	done, took := int(p.done.Load()), time.Since(p.began)
	elapsed := took.Round(time.Second).String()
	if p.total == 0 {
		return fmt.Sprintf("%d %s  %s", done, p.noun, elapsed)
	}
	bar := strings.Repeat("━", barColumns*min(done, p.total)/p.total)
	text := fmt.Sprintf("%-*s  %d of %d %s  %s", barColumns, bar, done, p.total, p.noun, elapsed)
	if left := remaining(took, done, p.total); left >= minLeft {
		text += ", about " + left.Round(time.Second).String() + " left"
	}
	return text
}

// minLeft is the shortest estimate that is worth a line.
const minLeft = 10 * time.Second

// remaining estimates the time until all is done.
func remaining(took time.Duration, done, total int) time.Duration {
	if done == 0 {
		return 0
	}
	return took * time.Duration(total-done) / time.Duration(done)
}

// count counts a result. The results of one case count once.
func (p *progress) count(r harness.Result) {
	if p != nil && r.Case != p.last {
		p.last = r.Case
		p.done.Add(1)
	}
}

// above returns the writer for reports on stdout. If stdout is a terminal, their lines appear above
// the bar.
func (p *progress) above(stdout *terminal.Terminal) io.Writer {
	if p == nil {
		return stdout.File
	}
	return p.line.Above(stdout)
}

// stop removes the bar. It may be called more than once.
func (p *progress) stop() {
	if p != nil {
		p.line.Stop()
	}
}
