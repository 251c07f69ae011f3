package exec

import (
	"regexp"
	"strings"
	"sync"
)

const (
	// maxTail is how many bytes of stderr are kept.
	maxTail = 64 << 10
	// maxLines is how many of its lines a fault shows.
	maxLines = 15
)

// tail keeps the end of everything written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, data...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(data), nil
}

// crash matches the first line of a Go crash, which goes on for pages.
var crash = regexp.MustCompile(`(?m)^(?:panic|fatal error): `)

// String returns the most useful lines, indented: the first ones of a crash, or else the last ones.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "\uFFFD"))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	if at := crash.FindStringIndex(text); at != nil {
		lines = strings.Split(text[at[0]:], "\n")
		lines = lines[:min(len(lines), maxLines)]
	}
	lines = lines[max(0, len(lines)-maxLines):]
	return "\t" + strings.Join(lines, "\n\t")
}
