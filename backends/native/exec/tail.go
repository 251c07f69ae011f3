package exec

import (
	"strings"
	"sync"
)

// maxTail is how much of a stderr is kept, in bytes.
const maxTail = 4096

// tail keeps the end of what is written to it.
type tail struct {
	mu      sync.Mutex
	kept    []byte
	dropped bool
}

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, data...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
		t.dropped = true
	}
	return len(data), nil
}

// String gives the lines that were kept, indented; a first line that was cut
// begins with dots.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "\uFFFD"))
	if text == "" {
		return ""
	}
	if t.dropped {
		text = "…" + text
	}
	return "\t" + strings.ReplaceAll(text, "\n", "\n\t")
}
