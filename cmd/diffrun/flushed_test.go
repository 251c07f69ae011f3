package main

import (
	"errors"
	"testing"
)

type fullDisk struct{ err error }

func (f fullDisk) Write([]byte) (int, error) { return 0, f.err }

// TestFlushed: a disk that is full is said once, whoever notices it first, and hides no
// other error.
func TestFlushed(t *testing.T) {
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
		out := newPrinter(fullDisk{full})
		out.Printf("x")
		if got := flushed(tt.failed, out); got == nil || got.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.why, got, tt.want)
		}
	}
	if err := flushed(nil, newPrinter(nil)); err != nil {
		t.Errorf("nothing was left to write: %v", err)
	}
}
