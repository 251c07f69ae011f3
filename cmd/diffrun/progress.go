package main

import (
	"errors"
	"io"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/diffrun/diffrun/harness"
)

// progress is a bar on the terminal that stderr is. Nil draws nothing.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
	last      *harness.Case
	stopped   sync.Once
}

// startProgress draws a bar of so many cases; where more may come, it only
// counts. Nil where stderr is not a terminal.
func (p *program) startProgress(total int, exact bool) *progress {
	if !p.stderr.isTerminal() {
		return nil
	}
	container := mpb.New(mpb.WithOutput(p.stderr.file), mpb.WithWidth(64))
	counter := decor.CountersNoUnit("%d of %d cases")
	filler := barStyle()
	if !exact {
		total, counter, filler = 0, decor.CurrentNoUnit("%d cases"), mpb.SpinnerStyle().PositionLeft().Build()
	}
	return &progress{
		container: container,
		bar: container.MustAdd(int64(total), filler,
			mpb.BarRemoveOnComplete(),
			mpb.AppendDecorators(counter, decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace)),
		),
	}
}

// startBar draws a bar of so many things that says how long the rest will take. Nil where stderr
// is not a terminal.
func (p *program) startBar(things string, total int) *progress {
	if !p.stderr.isTerminal() {
		return nil
	}
	container := mpb.New(mpb.WithOutput(p.stderr.file), mpb.WithWidth(64))
	return &progress{container: container, bar: container.MustAdd(int64(total), barStyle(),
		mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(
			decor.CountersNoUnit("%d of %d "+things), decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace),
			decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}), ""), decor.Name(" left"),
		),
	)}
}

func barStyle() mpb.BarFiller {
	return mpb.BarStyle().Lbound("").Rbound("").Filler("━").Tip("━").Padding(" ").Build()
}

// count takes note of a result; those of one case count once.
func (b *progress) count(r harness.Result) {
	if b != nil && r.Case != b.last {
		b.last = r.Case
		b.bar.Increment()
	}
}

// above gives a writer whose lines stand above the bar, where out shares the
// terminal with it.
func (b *progress) above(out io.Writer) io.Writer {
	if b == nil {
		return out
	}
	return aboveBar{b, out}
}

// stop takes the bar away. It may be called again.
func (b *progress) stop() {
	if b == nil {
		return
	}
	b.stopped.Do(func() {
		b.bar.Abort(true)
		b.container.Wait()
	})
}

type aboveBar struct {
	bar *progress
	out io.Writer
}

func (w aboveBar) Write(text []byte) (int, error) {
	n, err := w.bar.container.Write(text)
	if errors.Is(err, mpb.ErrDone) {
		return w.out.Write(text)
	}
	return n, err
}
