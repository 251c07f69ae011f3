package cluster

import (
	"testing"
	"time"
)

// SetPatience shortens how long removing an object may take.
func SetPatience(t *testing.T, b *Backend) {
	t.Helper()
	b.scratchStore.removeTimeout = 300 * time.Millisecond
}
