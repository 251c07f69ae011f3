//go:build go1.22

package recorder

import (
	"bytes"
	"regexp"
	"time"
)

// began is the time at which the process started.
var began = time.Now()

// aboutNow is how far a time may be from the start of the process to count as a time of the clock.
// Tests that need a time an hour or a day from now add it to the clock.
const aboutNow = 48 * time.Hour

// noon replaces the start of the process in recorded times.
var noon = time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)

var timestamps = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})`)

// steady replaces the times of the clock in a text as if the process had started at noon, so that
// each run of the same tests has the same text. It rounds the first time to a minute and keeps the
// distance of the others to it.
func steady(text []byte, began time.Time) []byte {
	near := false
	for _, at := range []time.Time{began.Add(-aboutNow), began.Add(aboutNow)} {
		near = near || bytes.Contains(text, []byte(at.UTC().Format("2006-01-")))
	}
	if !near {
		return text
	}
	var first time.Time
	for _, found := range timestamps.FindAll(text, -1) {
		if t, is := ofClock(found, began); is && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	at := noon.Add(first.Sub(began).Round(time.Minute))
	return timestamps.ReplaceAllFunc(text, func(found []byte) []byte {
		t, is := ofClock(found, began)
		if !is {
			return found
		}
		layout := time.RFC3339
		if dot := bytes.IndexByte(found, '.'); dot >= 0 && bytes.IndexAny(found[dot:], "Z+-") == len(".000000") {
			layout = "2006-01-02T15:04:05.000000Z07:00" // of metav1.MicroTime; other fractions vary in length
		}
		return []byte(at.Add(t.Sub(first)).Format(layout))
	})
}

// ofClock parses a time, truncates it to a second, and reports whether it is a time of the clock.
func ofClock(text []byte, began time.Time) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	return t.Truncate(time.Second), err == nil && t.Sub(began).Abs() <= aboutNow
}
