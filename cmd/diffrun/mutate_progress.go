package main

import (
	"sync"
	"time"
)

// mutantsProgress says how many mutants were run, and when all will be: as a bar on a terminal,
// and elsewhere in a line if it takes long.
type mutantsProgress struct {
	program *program
	bar     *progress
	began   time.Time
	all     int
	ran     int
	said    bool
	stopped sync.Once
}

// patience is what is left when an estimate is worth a line.
const patience = 10 * time.Second

func (p *program) watchMutants() *mutantsProgress { return &mutantsProgress{program: p} }

// begin says that so many mutants are to be run.
func (m *mutantsProgress) begin(all int) {
	m.all, m.began = all, time.Now()
	m.bar = m.program.startBar("mutants", all)
}

// done says that one more was run.
func (m *mutantsProgress) done() {
	m.ran++
	if m.bar != nil {
		m.bar.bar.Increment()
		return
	}
	took := time.Since(m.began)
	left := took * time.Duration(m.all-m.ran) / time.Duration(m.ran)
	if m.said || m.ran < m.all/50 || took < time.Second || left < patience { // the first ones compile the rules
		return
	}
	m.said = true
	m.program.warn("diffrun: %d of %d mutants in %v; about %v left\n", m.ran, m.all, took.Round(time.Second), left.Round(time.Second))
}

func (m *mutantsProgress) stop() { m.stopped.Do(func() { m.bar.stop() }) }
