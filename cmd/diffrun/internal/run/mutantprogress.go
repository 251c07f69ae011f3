package run

import (
	"time"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// mutantProgress shows how many mutants were run: as a bar on a terminal; elsewhere, if it takes long,
// in one line.
type mutantProgress struct {
	console *terminal.Console
	bar     *progress
	shown   bool
	// starting describes programs that start.
	starting func() string
}

// compared counts an input, before mutants are run.
func (m *mutantProgress) compared() { m.bar.done.Add(1) }

// begin sets the number of mutants.
func (m *mutantProgress) begin(all int) {
	m.bar.stop()
	m.bar = newProgress(m.console.Stderr, all, "mutants", m.starting)
}

// done counts a mutant.
func (m *mutantProgress) done() {
	ran, took := int(m.bar.done.Add(1)), time.Since(m.bar.began)
	left := remaining(took, ran, m.bar.total)
	if m.bar.line != nil || m.shown || ran < m.bar.total/50 || took < time.Second || left < minLeft { // the first ones compile the rules
		return
	}
	m.shown = true
	m.console.Warn("diffrun: %d of %d mutants in %v; about %v left\n", ran, m.bar.total, took.Round(time.Second), left.Round(time.Second))
}
