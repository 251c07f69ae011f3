package process

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

// Tail keeps the end of everything written to it.
type Tail struct {
	mu      sync.Mutex
	kept    []byte
	written int64
}

// Write implements io.Writer.
func (t *Tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept, t.written = append(t.kept, data...), t.written+int64(len(data))
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(data), nil
}

// Written returns how many bytes were written.
func (t *Tail) Written() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// Since returns what was written after so many bytes, as far as it is kept.
func (t *Tail) Since(written int64) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	fresh := min(t.written-written, int64(len(t.kept)))
	return string(t.kept[int64(len(t.kept))-fresh:])
}

// crash matches the first line of a Go crash, which goes on for pages.
var crash = regexp.MustCompile(`(?m)^(?:panic|fatal error): `)

// String returns the most useful lines, indented: the first ones of a crash, or else the last ones.
func (t *Tail) String() string {
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
