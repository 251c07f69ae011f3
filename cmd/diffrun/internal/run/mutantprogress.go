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
	began   time.Time
	all     int
	ran     int
	shown   bool
}

// minLeft is the shortest estimate that is worth a line.
const minLeft = 10 * time.Second

// begin sets the number of mutants.
func (m *mutantProgress) begin(all int) {
	m.all, m.began = all, time.Now()
	m.bar = newMutantProgress(m.console.Stderr, all)
}

// done counts a mutant.
func (m *mutantProgress) done() {
	m.ran++
	if m.bar != nil {
		m.bar.bar.Increment()
		return
	}
	took := time.Since(m.began)
	left := took * time.Duration(m.all-m.ran) / time.Duration(m.ran)
	if m.shown || m.ran < m.all/50 || took < time.Second || left < minLeft { // the first ones compile the rules
		return
	}
	m.shown = true
	m.console.Warn("diffrun: %d of %d mutants in %v; about %v left\n", m.ran, m.all, took.Round(time.Second), left.Round(time.Second))
}
