package recorder

import (
	"testing"
	"time"
)

// TestSteady: times of the clock are the same in each run, others stay unchanged.
func TestSteady(t *testing.T) {
	began := time.Date(2026, 12, 31, 23, 30, 5, 123, time.UTC)
	for _, tt := range []struct{ why, text, want string }{
		{"now", `{"a":"2026-12-31T23:30:07Z"}`, `{"a":"2000-01-01T12:00:00Z"}`},
		{"an hour ago, in a different time zone, twice", `"2026-12-31T23:30:06+01:00" 2026-12-31T22:30:06Z`,
			`"2000-01-01T11:00:00Z" 2000-01-01T11:00:00Z`},
		{"a second later, and a minute earlier", `2026-12-31T23:30:06Z 2026-12-31T23:30:07Z 2026-12-31T23:29:06Z`,
			`2000-01-01T12:00:00Z 2000-01-01T12:00:01Z 2000-01-01T11:59:00Z`},
		{"next year, tomorrow", `"2027-01-01T23:30:06Z"`, `"2000-01-02T12:00:00Z"`},
		{"micro seconds", `"2026-12-31T23:30:06.123456Z"`, `"2000-01-01T12:00:00.000000Z"`},
		{"last week", `"2026-12-24T23:30:06Z"`, `"2026-12-24T23:30:06Z"`},
		{"a different year", `"2020-12-31T23:30:06Z"`, `"2020-12-31T23:30:06Z"`},
		{"no time", `"2026-12-31T23:30Z 2026-12-99T23:30:06Z"`, `"2026-12-31T23:30Z 2026-12-99T23:30:06Z"`},
	} {
		if got := string(steady([]byte(tt.text), began)); got != tt.want {
			t.Errorf("%s: %s", tt.why, got)
		}
	}
}
