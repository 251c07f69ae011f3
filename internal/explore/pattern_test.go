package explore

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Similar texts of a long text would exhaust the memory.
func TestLongPattern(t *testing.T) {
	long := strings.Repeat("long text ", 10_000)
	if found := between(generate.Seeded(1), long, "^b"); len(found) != 0 {
		t.Errorf("%d texts of a pattern of %d bytes are tried", len(found), len(long))
	}
}
