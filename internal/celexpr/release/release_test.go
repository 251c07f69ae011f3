package release_test

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/celexpr/release"
)

// TestParse: a release may have a patch version; others are refused with those that are known.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{"1.29": "1.29", "v1.31.4": "1.31", "1.25": "1.25"} {
		if got, err := release.Parse(text); err != nil || got.String() != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"1.24", "1.99", "2.1", "new", ""} {
		if _, err := release.Parse(text); err == nil || !strings.Contains(err.Error(), "accepted: 1.25 to 1.") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
