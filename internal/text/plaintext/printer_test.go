package plaintext_test

import (
	"errors"
	"testing"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

type fullDisk struct{ err error }

func (f fullDisk) Write([]byte) (int, error) { return 0, f.err }

// TestFlushAfter: a full disk is reported once, whoever notices it first, and hides no other error.
func TestFlushAfter(t *testing.T) {
	full, other := errors.New("no space left"), errors.New("interrupted")
	for _, tt := range []struct {
		why    string
		failed error
		want   string
	}{
		{"only the last flush noticed", nil, "no space left"},
		{"an earlier write noticed, too", errors.Join(nil, full), "no space left"},
		{"something else failed as well", other, "interrupted\nno space left"},
	} {
		out := plaintext.NewPrinter(fullDisk{full})
		out.Printf("x")
		if got := out.FlushAfter(tt.failed); got == nil || got.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.why, got, tt.want)
		}
	}
	if err := plaintext.NewPrinter(nil).FlushAfter(nil); err != nil {
		t.Errorf("nothing was left to write: %v", err)
	}
}
