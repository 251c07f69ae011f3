package run

import (
	"fmt"
	"sync"
	"time"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// startups are the programs that start at the moment. On a terminal, the line of progress shows the first one;
// elsewhere, one that takes long has lines of its own. The zero value is ready.
type startups struct {
	mu  sync.Mutex
	all []*startup
}

// startup is the start of a program, such as "building the validator (go run .)".
type startup struct {
	doing string
	began time.Time
	ended bool
}

// A start without a line of progress is printed after startupQuiet, and then every startupInterval. One that took
// that long is printed with its time, because a person waited for it.
const (
	startupQuiet    = 3 * time.Second
	startupInterval = 30 * time.Second
)

func (s *startup) text() plaintext.Text {
	return plaintext.Text(fmt.Sprintf("%s … %d s", plaintext.Line(s.doing), int(time.Since(s.began).Seconds())))
}

// begin adds a start. The function that it returns removes it.
func (s *startups) begin(console *terminal.Console, doing string) (ended func()) {
	one := &startup{doing: doing, began: time.Now()}
	s.mu.Lock()
	s.all = append(s.all, one)
	s.mu.Unlock()
	var timer *time.Timer
	timer = time.AfterFunc(startupQuiet, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if one.ended {
			return
		}
		if !console.Stderr.HasStatus() {
			console.Warn("diffrun: %v\n", one.text())
		}
		timer.Reset(startupInterval)
	})
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if took := time.Since(one.began); !one.ended && took >= startupInterval {
			console.Warn("diffrun: %v: done after %d s\n", plaintext.Line(one.doing), int(took.Seconds()))
		}
		one.ended = true
		timer.Stop()
		for i, other := range s.all {
			if other == one {
				s.all = append(s.all[:i:i], s.all[i+1:]...)
				return
			}
		}
	}
}

// text describes the first program that starts; it is empty if none does.
func (s *startups) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) == 0 {
		return ""
	}
	return string(s.all[0].text())
}
