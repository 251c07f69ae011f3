package explore_test

import (
	"slices"
	"testing"

	"github.com/diffrun/diffrun/internal/explore"
)

// TestRespelled: the spellings that lenient validators take for a text are among the others.
func TestRespelled(t *testing.T) {
	for text, want := range map[string][]string{
		"Auto":                 {"", "AUTO", "auto", " Auto", "Auto\u00a0", "Auto\u2003", "Autoé", "Autoe\u0301", "Auto😀"},
		"task":                 {"tas\u212a", "taſk", "TASK", "Task"},
		"café":                 {"cafe\u0301", "CAFÉ"},
		"7":                    {"+7", "07", "0x7", "7.0", "7_0", "７", "9223372036854775808"},
		"1h":                   {"1h0m0s", "+1h", "1.5h", "1h0m"},
		"1Gi":                  {"1.0Gi", "0.5Gi", "1e3", "1Ki"},
		"10.0.0.1":             {"::ffff:10.0.0.1", "010.0.0.1"},
		"10.0.0.0/8":           {"10.0.0.1/8", "10.0.0.0/08", "010.0.0.0/8"},
		"2026-01-31T10:00:00Z": {"2026-01-31t10:00:00Z", "2026-01-31T10:00:00z", "2026-01-31T10:00:60Z"},
		"https://a.b":          {"HTTPS://a.b", "https://a.b/"},
		"YQ==":                 {"YQ", "YQ==="},
		"example.com":          {"example.com.", "EXAMPLE.COM"},
	} {
		got := explore.Respelled(text)
		for _, one := range want {
			if one != text && !slices.Contains(got, one) {
				t.Errorf("%q: %q is not among %q", text, one, got)
			}
		}
		if slices.Contains(got, text) || !slices.Equal(got, explore.Respelled(text)) {
			t.Errorf("%q: it is among its other spellings, or they change: %q", text, got)
		}
	}
}
