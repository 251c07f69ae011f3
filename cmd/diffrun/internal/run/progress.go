package run

import (
	"errors"
	"io"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
)

// progress is a bar on stderr. A nil progress draws nothing.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
	last      *harness.Case
	stopped   sync.Once
}

// newCaseProgress draws a bar for the cases of a run. If their number is not exact, it only counts.
func newCaseProgress(stderr *terminal.Terminal, total int, exact bool) *progress {
	elapsed := decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace)
	if !exact {
		return newProgress(stderr, 0, mpb.SpinnerStyle().PositionLeft().Build(), decor.CurrentNoUnit("%d cases"), elapsed)
	}
	return newProgress(stderr, total, barStyle(), decor.CountersNoUnit("%d of %d cases"), elapsed)
}

// newMutantProgress draws a bar for mutants, with the estimated time that is left.
func newMutantProgress(stderr *terminal.Terminal, total int) *progress {
	return newProgress(stderr, total, barStyle(),
		decor.CountersNoUnit("%d of %d mutants"), decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace),
		decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}), ""), decor.Name(" left"))
}

// newProgress draws a bar. It returns nil if stderr is not a terminal.
func newProgress(stderr *terminal.Terminal, total int, filler mpb.BarFiller, decorators ...decor.Decorator) *progress {
	if !stderr.IsTerminal() {
		return nil
	}
	container := mpb.New(mpb.WithOutput(stderr.File), mpb.WithWidth(64))
	return &progress{container: container, bar: container.MustAdd(int64(total), filler, mpb.BarRemoveOnComplete(), mpb.AppendDecorators(decorators...))}
}

func barStyle() mpb.BarFiller {
	return mpb.BarStyle().Lbound("").Rbound("").Filler("━").Tip("━").Padding(" ").Build()
}

// count counts a result. The results of one case count once.
func (p *progress) count(r harness.Result) {
	if p != nil && r.Case != p.last {
		p.last = r.Case
		p.bar.Increment()
	}
}

// above returns the writer for reports on stdout. If stdout is a terminal, their lines appear above
// the bar.
func (p *progress) above(stdout *terminal.Terminal) io.Writer {
	if p == nil || !stdout.IsTerminal() {
		return stdout.File
	}
	return writerAbove{p, stdout.File}
}

// stop removes the bar. It may be called more than once.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.stopped.Do(func() {
		p.bar.Abort(true)
		p.container.Wait()
	})
}

type writerAbove struct {
	bar *progress
	out io.Writer
}

func (w writerAbove) Write(text []byte) (int, error) {
	n, err := w.bar.container.Write(text)
	if errors.Is(err, mpb.ErrDone) {
		return w.out.Write(text)
	}
	return n, err
}
